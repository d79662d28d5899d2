package main

import (
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
	once []operation
	// Whether the times of single operations are asked for, and the number of sides.
	isSingle bool
	sides    int
	last     time.Time
}

// share is what one thread did of a slice.
type share struct {
	times            sides
	singles          []sides
	wall, cpu, probe time.Duration
	err              error
}

// slice does n operations on each thread, and returns `FIRST SECOND WALL CPU PROBE` with the
// single times, if the scenario asks for them.
func (l *lanes) slice(n int) (string, error) {
	shares := make([]share, len(l.once))
	isCold := time.Since(l.last) > pause
	var gates [2]atomic.Int64
	var done sync.WaitGroup
	done.Add(len(shares))
	for i := range shares {
		mine, once := &shares[i], l.once[i]
		go func() {
			defer done.Done()
			mine.work(once, n, isCold, l.isSingle, &gates, int64(len(shares)))
		}()
	}
	done.Wait()
	l.last = time.Now()
	// The harmonic mean over threads.
	var means sides
	var singles strings.Builder
	for side := range means[:l.sides] {
		inverse := 0.0
		for _, share := range shares {
			if share.err != nil {
				return "", share.err
			}
			inverse += 1 / float64(share.times[side])
			for _, one := range share.singles {
				fmt.Fprintf(&singles, " %d", one[side])
			}
		}
		if !math.IsInf(inverse, 1) {
			means[side] = time.Duration(math.Round(float64(len(shares)) / inverse))
		}
	}
	first := shares[0]
	return fmt.Sprintf("%d %d %d %d %d%s", means[0], means[1], first.wall, first.cpu, first.probe,
		singles.String()), nil
}

// work leads in if it is cold, and does n operations. Threads wait for each other at work, before and
// after that: one that sleeps would leave its caches to others.
func (s *share) work(once operation, n int, isCold, isSingle bool, gates *[2]atomic.Int64, threads int64) {
	until := func(isOver func(done int) bool) {
		for done := 0; s.err == nil && !isOver(done); done++ {
			_, s.err = once()
		}
	}
	pass := func(gate *atomic.Int64) {
		gate.Add(1)
		until(func(int) bool { return gate.Load() >= threads })
	}
	if isSingle {
		s.singles = make([]sides, 0, n)
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
	for ; n > 0 && s.err == nil; n-- {
		var times sides
		times, s.err = once()
		s.times[0] += times[0]
		s.times[1] += times[1]
		if isSingle {
			s.singles = append(s.singles, times)
		}
	}
	s.wall, s.cpu, s.probe = time.Since(start), cpuTime()-cpu, probed()
	pass(&gates[1])
}
