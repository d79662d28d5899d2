package main

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// sides has the times of both ends: client and server, or sending and receiving.
type sides [2]time.Duration

// operation does one operation of a workload on one thread.
type operation func() (sides, error)

// What precedes a slice after a pause, untimed: so many operations, and at least and at most so long. It
// brings back caches and branch predictions that other programs have used. Between the slices of a turn,
// the program waits for less than a pause.
const (
	leadIn           = 500 * time.Microsecond
	maxLeadIn        = 40 * time.Millisecond
	leadInOperations = 8
	pause            = time.Millisecond
)

// slices times operations, of which each thread has one.
type slices struct {
	operations []operation
	// Whether the times of single operations are asked for, and the number of sides.
	isSingle bool
	sides    int
	last     time.Time
}

// share is what one thread did of a slice.
type share struct {
	each             []sides
	wall, cpu, probe time.Duration
	err              error
}

// slice does n operations on each thread, and returns `FIRST SECOND WALL CPU PROBE` with the single
// times, if the scenario asks for them.
func (s *slices) slice(n int) (string, error) {
	shares := make([]share, len(s.operations))
	isCold := time.Since(s.last) > pause
	var gates [2]atomic.Int64
	var all sync.WaitGroup
	all.Add(len(shares))
	for i := range shares {
		mine, once := &shares[i], s.operations[i]
		go func() {
			defer all.Done()
			mine.work(once, n, isCold, &gates, int64(len(shares)))
		}()
	}
	all.Wait()
	s.last = time.Now()
	var means [2]float64
	var singles strings.Builder
	for side := range means[:s.sides] {
		// The harmonic mean over threads.
		inverse := 0.0
		for _, share := range shares {
			if share.err != nil {
				return "", share.err
			}
			var total time.Duration
			for _, times := range share.each {
				total += times[side]
				if s.isSingle {
					fmt.Fprintf(&singles, " %d", times[side])
				}
			}
			inverse += 1 / float64(total)
		}
		means[side] = math.Round(float64(len(shares)) / inverse)
	}
	first := shares[0]
	return fmt.Sprintf("%.0f %.0f %d %d %d%s", means[0], means[1], first.wall, first.cpu, first.probe, &singles), nil
}

// work leads in if it is cold, and does n operations. Threads wait for each other at work, before and
// after that: one that sleeps would leave its caches to others.
func (s *share) work(once operation, n int, isCold bool, gates *[2]atomic.Int64, threads int64) {
	until := func(isOver func(done int) bool) []sides {
		each := make([]sides, 0, n)
		for s.err == nil && !isOver(len(each)) {
			var times sides
			times, s.err = once()
			each = append(each, times)
		}
		return each
	}
	pass := func(gate *atomic.Int64) {
		gate.Add(1)
		until(func(int) bool { return gate.Load() >= threads })
	}
	start := time.Now()
	until(func(done int) bool {
		time := time.Since(start)
		return !isCold || time >= maxLeadIn || done >= leadInOperations && time >= leadIn
	})
	pass(&gates[0])
	probed()
	cpu := cpuTime()
	start = time.Now()
	s.each = until(func(done int) bool { return done == n })
	s.wall, s.cpu, s.probe = time.Since(start), cpuTime()-cpu, probed()
	pass(&gates[1])
}

// What the clock itself takes, which is subtracted.
var clockTime = time.Hour

func calibrate() {
	for i := 0; i < 10; i++ {
		var clock time.Duration
		for j := 0; j < 100; j++ {
			clock += time.Since(time.Now())
		}
		clockTime = min(clockTime, clock/100)
	}
}

// timed runs work, and returns its duration.
func timed(work func()) time.Duration {
	start := probe()
	work()
	return since(start)
}

func since(start time.Time) time.Duration { return max(0, time.Since(start)-clockTime) }

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
func probe() time.Time {
	now := time.Now()
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
