package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What precedes a slice after a pause, untimed: so many operations, and at least and at most so long. It
// brings back caches and branch predictions that other programs have used. Between the slices of a turn,
// the program waits for less than a pause.
const (
	leadIn           = 500 * time.Microsecond
	maxLeadIn        = 40 * time.Millisecond
	leadInOperations = 8
	pause            = time.Millisecond
)

// lanes has the operation of each thread.
type lanes struct {
	once    []operation
	monitor monitor
	last    time.Time
}

// share is what one thread did of a slice.
type share struct {
	times   sides
	singles []sides
	err     error
}

// slice does n operations on each thread, and returns `FIRST SECOND WALL CPU PROBE` with the
// single times, if the scenario asks for them.
func (l *lanes) slice(s scenario, n int) (string, error) {
	isSingle := s.workload == "writes" || strings.HasPrefix(s.workload, "latency")
	if err := l.monitor.keepOff(); err != nil {
		return "", fmt.Errorf("cannot set the processor of a thread: %w", err)
	}
	shares := make([]share, len(l.once))
	var ready, finished atomic.Int64
	var done sync.WaitGroup
	done.Add(len(l.once))
	// Threads wait for each other at work: one that sleeps would leave its caches to others.
	wait := func(count *atomic.Int64, mine *share, once operation) {
		for count.Add(1); count.Load() < int64(len(l.once)) && mine.err == nil; {
			_, mine.err = once()
		}
	}
	var before, cpu time.Duration
	var start time.Time
	var wall, probe time.Duration
	isCold := time.Since(l.last) > pause
	var first, last sync.Once
	for i, once := range l.once {
		mine, once := &shares[i], once
		if isSingle {
			mine.singles = make([]sides, 0, n)
		}
		go func() {
			defer done.Done()
			begin := time.Now()
			isWarm := func(done int) bool {
				time := time.Since(begin)
				return time >= maxLeadIn || done >= leadInOperations && time >= leadIn
			}
			for done := 0; isCold && mine.err == nil && !isWarm(done); done++ {
				_, mine.err = once()
			}
			wait(&ready, mine, once)
			first.Do(func() {
				probes.mean()
				before, start = cpuTime(), time.Now()
			})
			for count := n; count > 0 && mine.err == nil; count-- {
				var times sides
				times, mine.err = once()
				mine.times[0] += times[0]
				mine.times[1] += times[1]
				if isSingle {
					mine.singles = append(mine.singles, times)
				}
			}
			wait(&finished, mine, once)
			last.Do(func() {
				wall, cpu, probe = time.Since(start), cpuTime()-before, probes.mean()
			})
		}()
	}
	done.Wait()
	l.last = time.Now()
	threads := time.Duration(len(l.once))
	var inverse [2]float64
	var singles strings.Builder
	for side := range inverse {
		for _, share := range shares {
			if share.err != nil {
				return "", share.err
			}
			inverse[side] += 1 / float64(share.times[side])
			for _, one := range share.singles {
				if side == 0 || s.workload != "writes" {
					fmt.Fprintf(&singles, " %d", one[side])
				}
			}
		}
	}
	if inverse[0] == 0 || wall == 0 {
		return "", errors.New("the clock stands still")
	}
	// The harmonic mean over threads.
	mean := func(inverse float64) int64 {
		if math.IsInf(inverse, 1) {
			return 0
		}
		return int64(math.Round(float64(threads) / inverse))
	}
	return fmt.Sprintf("%d %d %d %d %d%s", mean(inverse[0]), mean(inverse[1]), wall, cpu, probe,
		singles.String()), nil
}
