package main

import (
	"sync"
	"syscall"
	"time"
)

// sides has the times of both ends: client and server, or sending and receiving.
type sides [2]time.Duration

// What measuring takes itself, which is subtracted.
var clockTime, turnTime time.Duration

// timed runs work, and adds its duration to total.
func timed(total *time.Duration, work func()) {
	start := probes.probe(time.Now())
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

// probing sums up probes: a fixed piece of work between two timed ones, which takes longer while something
// else uses the same core. Threads probe by turns.
type probing struct {
	last  time.Time
	total time.Duration
	count int
}

var (
	probes    probing
	isProbing sync.Mutex
)

// probe does it if the last one is some time ago, and returns the time after it.
func (p *probing) probe(now time.Time) time.Time {
	if !isProbing.TryLock() {
		return now
	}
	defer isProbing.Unlock()
	if now.Sub(p.last) < 50*time.Microsecond {
		return now
	}
	// As many independent chains as keep the core's units busy.
	for i := 0; i < 600; i++ {
		for j := range chains {
			chains[j] = chains[j]*0x9e3779b97f4a7c15 ^ chains[j]>>29
		}
	}
	p.last = time.Now()
	p.total += p.last.Sub(now)
	p.count++
	return p.last
}

var chains = [8]uint64{1, 2, 3, 4, 5, 6, 7, 8}

// mean returns the mean time of a probe since the last call.
func (p *probing) mean() time.Duration {
	isProbing.Lock()
	defer isProbing.Unlock()
	mean := p.total / time.Duration(max(1, p.count))
	p.total, p.count = 0, 0
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
