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

// A slice in which no cycle of the garbage collector ends has its part of the time of all.
func TestDue(t *testing.T) {
	before, after := collector{bytes: 900, cycles: 9}, collector{bytes: 1000, cycles: 9, time: 100}
	if due := after.due(before); due != 10 {
		t.Errorf("%v instead of 10 ns", due)
	}
	after.cycles = 10
	if due := after.due(before); due != 0 {
		t.Errorf("%v, although the time is in the slice", due)
	}
	if due := (collector{bytes: 1000}).due(collector{}); due != 0 {
		t.Errorf("%v before the first cycle", due)
	}
}
