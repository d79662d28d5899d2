package main

import (
	"syscall"
	"time"
)

// sides has the times of both ends: client and server, or sending and receiving.
type sides [2]time.Duration

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
		var clock time.Duration
		for j := 0; j < count; j++ {
			clock += time.Since(time.Now())
		}
		start := time.Now()
		for j := 0; j < count; j++ {
			e.turn()
		}
		turnTime = min(turnTime, time.Since(start)/count)
		clockTime = min(clockTime, clock/count)
	}
}

// cpuTime returns the CPU time of the process.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
