package main

import (
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
