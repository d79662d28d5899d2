package main

import (
	"runtime"
	"testing"
)

// Times a turn without any work, which is included in each turn of a handshake:
// `go test -bench Handover`.
func BenchmarkHandover(b *testing.B) {
	runtime.GOMAXPROCS(1)
	e := &end{resume: newSignal(), paused: newSignal(), isStarted: true}
	go func() {
		for {
			<-e.resume
			e.paused <- struct{}{}
		}
	}()
	for i := 0; i < b.N; i++ {
		if err := e.turn(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLabelsRoundTrip(t *testing.T) {
	for given, wanted := range map[string]string{
		"resumed handshakes, ticket, 1.2, rsa":              "resumed handshakes, 1.2, ticket",
		"full handshakes, 1.3, aes-256-gcm, rsa, 2 threads": "full handshakes, 1.3, rsa, 2 threads",
		"writes, [100, 50] * 3, write each":                 "writes, [100, 50] * 3, write each",
	} {
		s, err := parseScenario(given)
		if err != nil || s.label() != wanted {
			t.Errorf("%s: %s, %v", given, s.label(), err)
		}
	}
	s, _ := parseScenario("writes, [100, 50] * 3, write each")
	if got := s.buffers(); len(got) != 6 || got[5] != 50 {
		t.Errorf("%v", got)
	}
	for _, wrong := range []string{"", "transfr, 1.3", "transfer, 1.3", "transfer, aes-128-gcm", "resumed handshakes, 1.2",
		"full handshakes, 1.3, rsa, ticket", "full handshakes, 1.3, rsa, rsa", "full handshakes, 1.3, rsa, x"} {
		if _, err := parseScenario(wrong); err == nil {
			t.Errorf("`%s` is no error", wrong)
		}
	}
}
