package main

import (
	"flag"
	"strconv"
)

// scenario has the fields of a label. The generator, which has the grammar of labels, passes them as
// flags.
type scenario struct {
	workload, version, suite, key, group, resumption, method string
	isMutual                                                 bool
	sessions, writeSize, threads                             int
	// The sizes of one message's buffers.
	buffers []int
}

// flags defines those of all fields but the workload.
func (s *scenario) flags() {
	flag.StringVar(&s.version, "version", "", "`1.2` or 1.3")
	flag.StringVar(&s.suite, "suite", "", "IANA's `name` of the cipher suite")
	flag.StringVar(&s.key, "key", "", "the subfolder of certificates, such as `rsa`")
	flag.StringVar(&s.group, "group", "", "the key exchange, such as `x25519`; by default what crypto/tls prefers")
	flag.StringVar(&s.resumption, "resumption", "", "`ticket`, to resume sessions")
	flag.StringVar(&s.method, "method", "", "how buffers are written: `write each` or copy and write")
	flag.BoolVar(&s.isMutual, "mutual", false, "whether the client has a certificate too")
	flag.IntVar(&s.sessions, "sessions", 0, "sessions in memory, both ends counted")
	flag.IntVar(&s.writeSize, "bytes", 0, "bytes of each write of a transfer")
	flag.IntVar(&s.threads, "threads", 1, "number of threads")
	flag.Func("buffer", "bytes of a buffer of a message, each after the other", func(text string) error {
		size, err := strconv.Atoi(text)
		s.buffers = append(s.buffers, size)
		return err
	})
}

func (s *scenario) is13() bool { return s.version == "1.3" }
