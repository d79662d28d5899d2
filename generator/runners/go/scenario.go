package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// scenario has the words of a label. The generator, which has their grammar, checks them first.
type scenario struct {
	workload, version, cipher, key, group, resumption, method string
	isMutual                                                  bool
	sessions, writeSize, fragment, threads                    int
	// The sizes of one message's buffers.
	buffers []int
}

// A list of buffers, such as `[100, 50] * 3`.
var list = regexp.MustCompile(`, \[([0-9, ]+)\](?: \* ([0-9]+))?`)

// A number with a unit, such as `2 threads` or `1024-byte writes`.
var number = regexp.MustCompile(`^([0-9]+)[ -]([a-z ]+)$`)

func parseScenario(label string) (scenario, error) {
	s := scenario{version: "1.3", cipher: "aes-256-gcm", key: "rsa", writeSize: 1 << 20, threads: 1}
	if match := list.FindStringSubmatch(label); match != nil {
		label = strings.Replace(label, match[0], "", 1)
		times, err := strconv.Atoi(match[2])
		if err != nil {
			times = 1
		}
		for ; times > 0; times-- {
			for _, digits := range strings.Split(match[1], ", ") {
				size, err := strconv.Atoi(digits)
				if err != nil {
					return s, err
				}
				s.buffers = append(s.buffers, size)
			}
		}
	}
	words := strings.Split(label, ", ")
	s.workload = words[0]
	for _, word := range words[1:] {
		if match := number.FindStringSubmatch(word); match != nil {
			n, err := strconv.Atoi(match[1])
			if err != nil {
				return s, err
			}
			switch match[2] {
			case "sessions":
				s.sessions = n
			case "byte writes":
				s.writeSize = n
			case "byte fragments":
				s.fragment = n
			default:
				s.threads = n
			}
			continue
		}
		_, isGroup := groups[word]
		switch family, _, _ := strings.Cut(word, "-"); {
		case word == "1.2" || word == "1.3":
			s.version = word
		case isGroup:
			s.group = word
		case word == "ticket" || word == "session id":
			s.resumption = word
		case word == "mutual":
			s.isMutual = true
		case word == "write each" || word == "copy and write" || word == "vectored":
			s.method = word
		case family == "rsa" || family == "ecdsa" || family == "ed25519" || family == "ml":
			s.key = word
		case family == "aes" || family == "chacha20":
			s.cipher = word
		default:
			return s, fmt.Errorf("no field has the word `%s`", word)
		}
	}
	return s, nil
}

func (s *scenario) is13() bool { return s.version == "1.3" }

// suite returns IANA's name of the cipher suite.
func (s *scenario) suite() string {
	exchange := ""
	switch {
	case s.is13():
	case strings.HasPrefix(s.key, "rsa"):
		exchange = "ECDHE_RSA_WITH_"
	default:
		exchange = "ECDHE_ECDSA_WITH_"
	}
	hash := "_SHA256"
	if s.cipher == "aes-256-gcm" {
		hash = "_SHA384"
	}
	return "TLS_" + exchange + strings.ReplaceAll(strings.ToUpper(s.cipher), "-", "_") + hash
}
