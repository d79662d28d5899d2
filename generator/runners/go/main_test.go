package main

import (
	"reflect"
	"runtime"
	"testing"
	"time"
)

// Nothing takes no time: what measuring takes is subtracted.
func TestClock(t *testing.T) {
	runtime.GOMAXPROCS(1)
	calibrate()
	var total time.Duration
	for i := 0; i < 1000; i++ {
		timed(&total, func() {})
	}
	if clockTime <= 0 || turnTime <= clockTime || total > 1000*clockTime {
		t.Errorf("clock %v, turn %v, 1000 times nothing %v", clockTime, turnTime, total)
	}
	t.Logf("clock %v, turn %v", clockTime, turnTime)
}

func TestLabels(t *testing.T) {
	label := "latency of resumed handshakes, 1.2, chacha20-poly1305, ml-dsa-44, x25519mlkem768+x25519, session id, mutual, 1024-byte writes, 2 threads"
	got, err := parseScenario(label)
	wanted := scenario{"latency of resumed handshakes", "1.2", "chacha20-poly1305", "ml-dsa-44", "x25519mlkem768+x25519",
		"session id", "", true, 0, 1024, 2, nil}
	if err != nil || !reflect.DeepEqual(got, wanted) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = parseScenario("writes, [100, 50] * 2, write each")
	if err != nil || !reflect.DeepEqual(got.buffers, []int{100, 50, 100, 50}) || got.method != "write each" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := parseScenario("full handshakes, 1.3, rsa, warp"); err == nil {
		t.Error("`warp` is no error")
	}
}

// What a slice has no time for is added to the next ones.
func TestDue(t *testing.T) {
	l := lanes{owed: -250}
	var all []time.Duration
	for len(all) < 4 {
		all = append(all, l.due(-100))
		l.garbage = garbage{} // nothing is collected
	}
	if want := []time.Duration{-100, -100, -50, 0}; !reflect.DeepEqual(all, want) {
		t.Errorf("%v instead of %v", all, want)
	}
}
