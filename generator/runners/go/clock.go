package main

import (
	"syscall"
	"time"
)

// sides has the times of both ends: client and server, or sending and receiving.
type sides struct{ first, second time.Duration }

func (s sides) of(side int) time.Duration {
	if side == 0 {
		return s.first
	}
	return s.second
}

// What measuring takes itself, which is subtracted.
var clockTime, turnTime time.Duration

// timed runs work, and adds its duration to total.
func timed(total *time.Duration, work func()) {
	start := time.Now()
	work()
	*total += max(0, time.Since(start)-clockTime)
}

// calibrate measures the clock, and turns without any work.
func calibrate() {
	e := &end{resume: newSignal(), paused: newSignal(), isStarted: true}
	go func() {
		for range e.resume {
			e.paused <- struct{}{}
		}
	}()
	defer close(e.resume)
	const count = 100
	clockTime, turnTime = time.Hour, time.Hour
	for i := 0; i < 10; i++ {
		var clock, turns time.Duration
		for j := 0; j < count; j++ {
			clock += time.Since(time.Now())
		}
		start := time.Now()
		for j := 0; j < count; j++ {
			if e.turn() != nil {
				return
			}
		}
		turns = time.Since(start)
		clockTime, turnTime = min(clockTime, clock/count), min(turnTime, turns/count)
	}
}

// usage is the processor time and the number of involuntary context switches of the process.
type usage struct {
	cpu      time.Duration
	switches int64
}

func usageNow() usage {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return usage{time.Duration(r.Utime.Nano() + r.Stime.Nano()), int64(r.Nivcsw)}
}
