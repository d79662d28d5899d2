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
