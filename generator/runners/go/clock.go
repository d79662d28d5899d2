package main

import (
	"sync"
	"syscall"
	"time"
)

// sides has the times of both ends: client and server, or sending and receiving.
type sides [2]time.Duration

// What measuring takes itself, which is subtracted.
var clockTime, turnTime = time.Hour, time.Hour

// timed runs work, and adds its duration to total.
func timed(total *time.Duration, work func()) {
	start := probe(time.Now())
	work()
	*total += max(0, time.Since(start)-clockTime)
}

// calibrate measures the clock, and turns without any work.
func calibrate() {
	const count = 100
	e := &end{}
	e.work = func() {
		for i := 1; i < 10*count; i++ {
			e.handOver()
		}
	}
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

// probes sums up probes: a fixed piece of work between two timed ones, which takes longer while something
// else uses the same core. Threads probe by turns.
var probes struct {
	sync.Mutex
	last  time.Time
	total time.Duration
	count int
}

var chains = [8]uint64{1, 2, 3, 4, 5, 6, 7, 8}

// probe does it if the last one is some time ago, and returns the time after it.
func probe(now time.Time) time.Time {
	if !probes.TryLock() {
		return now
	}
	defer probes.Unlock()
	if now.Sub(probes.last) < 50*time.Microsecond {
		return now
	}
	// As many independent chains as keep the core's units busy.
	for i := 0; i < 600; i++ {
		for j := range chains {
			chains[j] = chains[j]*0x9e3779b97f4a7c15 ^ chains[j]>>29
		}
	}
	probes.last = time.Now()
	probes.total += probes.last.Sub(now)
	probes.count++
	return probes.last
}

// probed returns the mean time of a probe since the last call.
func probed() time.Duration {
	probes.Lock()
	defer probes.Unlock()
	mean := probes.total / time.Duration(max(1, probes.count))
	probes.total, probes.count = 0, 0
	return mean
}

// cpuTime returns the CPU time of the process.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
