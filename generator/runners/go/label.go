package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The fields of a label in order, and the words that each allows. They reimplement
// generator/scenario in Go.
var fields = []struct {
	name  string
	words *regexp.Regexp
}{
	{"version", words(`1\.[23]`)},
	{"cipher", words(`(aes|chacha|camellia|aria|3des|des|null|ascon)[a-z0-9-]*`)},
	{"key", words(`rsa|rsa-3072|rsa-4096|ecdsa|ecdsa-p384|ecdsa-p521|ed25519|ml-dsa-(44|65|87)`)},
	{"group", words(`x25519|x25519mlkem768|x25519mlkem768\+x25519|secp256r1|secp384r1|secp256r1mlkem768`)},
	{"resumption", words(`session id|ticket`)},
	{"buffers", words(`\[[0-9, ]+\]( \* [1-9][0-9]{0,4})?`)},
	{"method", words(`write each|copy and write|vectored`)},
	{"sessions", words(`[1-9][0-9]* sessions`)},
	{"side", words(`sending|receiving|client|server`)},
	{"mutual", words(`mutual`)},
	{"write size", words(`[1-9][0-9]*-byte writes`)},
	{"fragment", words(`[1-9][0-9]*-byte fragments`)},
	{"threads", words(`[1-9][0-9]* threads?`)},
	{"percentile", words(`min|P50|P90|P99|P99\.9|max`)},
}

func words(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^(?:" + pattern + ")$")
}

// The field that each workload requires besides a version.
var needed = map[string]string{
	"transfer":                      "cipher",
	"full handshakes":               "key",
	"resumed handshakes":            "resumption",
	"memory":                        "sessions",
	"latency of full handshakes":    "key",
	"latency of resumed handshakes": "resumption",
	"writes":                        "method",
	"client hello":                  "",
}

// scenario is a workload with the words of its label, by field.
type scenario struct {
	workload string
	words    map[string]string
}

// parseScenario parses a label, which must have all fields that its workload needs.
func parseScenario(label string) (scenario, error) {
	parts := split(label)
	s := scenario{parts[0], map[string]string{}}
	need, known := needed[s.workload]
	if !known {
		return s, fmt.Errorf("`%s` is not a workload", s.workload)
	}
next:
	for _, word := range parts[1:] {
		for _, field := range fields {
			if field.words.MatchString(word) {
				if s.words[field.name] != "" {
					return s, fmt.Errorf("`%s` sets a field of `%s` that is already set", word, label)
				}
				s.words[field.name] = word
				continue next
			}
		}
		return s, fmt.Errorf("no field has the word `%s` of `%s`", word, label)
	}
	hasVersion := s.workload != "writes" && s.workload != "client hello"
	isResumption := need == "resumption"
	switch {
	case hasVersion && s.words["version"] == "":
		need = "version"
	case need != "" && s.words[need] == "":
	case s.workload == "writes" && s.words["buffers"] == "":
		need = "list of buffers"
	case !isResumption && s.words["resumption"] != "":
		return s, fmt.Errorf("`%s` needs no kind of resumption", label)
	case s.words["percentile"] != "":
		return s, fmt.Errorf("`%s` needs no percentile: all of them are printed", label)
	default:
		return s.canonical(), nil
	}
	return s, fmt.Errorf("`%s` needs a %s", label, need)
}

// split splits at commas outside of brackets.
func split(label string) []string {
	var parts []string
	start, depth := 0, 0
	for i, c := range label + "," {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(label[start:i]))
			start = i + 1
		}
	}
	return parts
}

// canonical removes words for defaults.
func (s scenario) canonical() scenario {
	remove := func(field, word string) {
		if s.words[field] == word {
			delete(s.words, field)
		}
	}
	switch s.workload {
	case "transfer":
		remove("key", "rsa")
	case "resumed handshakes", "memory":
		remove("key", "rsa")
		remove("cipher", "aes-256-gcm")
	case "full handshakes", "latency of full handshakes", "latency of resumed handshakes":
		remove("cipher", "aes-256-gcm")
	}
	remove("write size", "1048576-byte writes")
	return s
}

// label returns the scenario in words.
func (s scenario) label() string {
	parts := []string{s.workload}
	for _, field := range fields {
		if word := s.words[field.name]; word != "" {
			parts = append(parts, word)
		}
	}
	return strings.Join(parts, ", ")
}

// with returns the same scenario with another word in a field.
func (s scenario) with(field, word string) scenario {
	words := map[string]string{field: word}
	for name, word := range s.words {
		if name != field {
			words[name] = word
		}
	}
	return scenario{s.workload, words}
}

// or returns the word of a field, or the fallback without one.
func (s scenario) or(field, fallback string) string {
	if word := s.words[field]; word != "" {
		return word
	}
	return fallback
}

// count returns the number in a field, or the fallback without one.
func (s scenario) count(field string, fallback int) int {
	digits := strings.FieldsFunc(s.words[field], func(c rune) bool { return c < '0' || c > '9' })
	if len(digits) == 0 {
		return fallback
	}
	n, err := strconv.Atoi(digits[0])
	if err != nil {
		return fallback
	}
	return n
}

func (s scenario) threads() int    { return s.count("threads", 1) }
func (s scenario) is13() bool      { return s.or("version", "1.3") == "1.3" }
func (s scenario) isResumed() bool { return s.words["resumption"] != "" }
func (s scenario) key() string     { return s.or("key", "rsa") }
func (s scenario) cipher() string  { return s.or("cipher", "aes-256-gcm") }
func (s scenario) writeSize() int  { return s.count("write size", 1<<20) }
func (s scenario) isMutual() bool  { return s.words["mutual"] != "" }
func (s scenario) hasGroup() bool  { return s.words["group"] != "" }

// buffers returns the sizes of one write's buffers: `[100, 50]`, `[50] * 20`.
func (s scenario) buffers() []int {
	list, times, _ := strings.Cut(s.words["buffers"], "*")
	var sizes []int
	for _, digits := range strings.FieldsFunc(list, func(c rune) bool { return c < '0' || c > '9' }) {
		n, _ := strconv.Atoi(digits)
		sizes = append(sizes, n)
	}
	n, err := strconv.Atoi(strings.TrimSpace(times))
	if err != nil {
		n = 1
	}
	var all []int
	for ; n > 0; n-- {
		all = append(all, sizes...)
	}
	return all
}
