package main

import (
	"fmt"
	"strconv"
	"strings"
)

// scenario has the words of a label. The generator, which has their grammar, checks them first.
type scenario struct {
	workload, version, cipher, key, group, resumption, method string
	isMutual                                                  bool
	sessions, writeSize, threads                              int
	// The sizes of one message's buffers.
	buffers []int
}

func parseScenario(label string) (scenario, error) {
	s := scenario{version: "1.3", cipher: "aes-256-gcm", key: "rsa", writeSize: 1 << 20, threads: 1}
	// A list of buffers has commas: `[100, 50] * 3`.
	if start, rest, hasBuffers := strings.Cut(label, ", ["); hasBuffers {
		list, rest, _ := strings.Cut(rest, "]")
		times, method, _ := strings.Cut(rest, ", ")
		label = start + ", " + method
		for count := max(1, number(strings.TrimPrefix(times, " * "))); count > 0; count-- {
			for _, size := range strings.Split(list, ", ") {
				s.buffers = append(s.buffers, number(size))
			}
		}
	}
	numbers := map[string]*int{"-byte writes": &s.writeSize, " sessions": &s.sessions,
		" thread": &s.threads, " threads": &s.threads}
	words := strings.Split(label, ", ")
	s.workload = words[0]
	for _, word := range words[1:] {
		_, isGroup := groups[word]
		family, _, _ := strings.Cut(word, "-")
		unit := strings.TrimLeft(word, "0123456789")
		switch {
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
		case numbers[unit] != nil:
			*numbers[unit] = number(strings.TrimSuffix(word, unit))
		default:
			return s, fmt.Errorf("no field has the word `%s`", word)
		}
	}
	return s, nil
}

// number returns 0 for any other word.
func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0
	}
	return n
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
