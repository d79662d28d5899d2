package main

import (
	"errors"
	"fmt"
	"math"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What precedes a slice, untimed, at least so long and so many operations. It brings back caches and
// branch predictions that other programs have used.
const (
	leadIn           = 500 * time.Microsecond
	leadInOperations = 8
)

// lanes has the operation of each thread.
type lanes struct {
	once    []operation
	garbage garbage
	// What the collector's cycles cost more than the slices so far had time for.
	owed time.Duration
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
	var first, last sync.Once
	for i, once := range l.once {
		mine, once := &shares[i], once
		if isSingle {
			mine.singles = make([]sides, 0, n)
		}
		go func() {
			defer done.Done()
			begin := time.Now()
			for done := 0; mine.err == nil && (done < leadInOperations || time.Since(begin) < leadIn); done++ {
				_, mine.err = once()
			}
			wait(&ready, mine, once)
			first.Do(func() { probes.mean(); before, start = cpuTime(), time.Now() })
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
			last.Do(func() { wall, cpu, probe = time.Since(start), cpuTime()-before, probes.mean() })
		}()
	}
	done.Wait()
	// A cycle of the garbage collector that has begun ends meanwhile, not while other programs are
	// measured.
	time.Sleep(time.Millisecond)
	threads := time.Duration(len(l.once))
	collecting := l.due(-wall * threads / 2)
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
	// The harmonic mean over threads, with the same part of the collections for each time.
	mean := func(inverse float64) int64 {
		if math.IsInf(inverse, 1) {
			return 0
		}
		collected := 1 + float64(collecting/threads)/float64(wall)
		return int64(math.Round(float64(threads) / inverse * collected))
	}
	// Of a slice that was preempted for most of its time, less may be left than nothing.
	cpu = max(0, cpu+collecting)
	return fmt.Sprintf("%d %d %d %d %d%s", mean(inverse[0]), mean(inverse[1]), wall+collecting/threads,
		cpu, probe, singles.String()), nil
}

// due returns the collector's work to add to a slice. A cycle can cost more than a short slice took, so
// what is below least is left to the next slices.
func (l *lanes) due(least time.Duration) time.Duration {
	due := l.garbage.evened() + l.owed
	l.owed = min(due-least, 0)
	return max(due, least)
}

// garbage is what the collector has done when a slice ends.
type garbage struct{ bytes, cycles float64 }

// evened spreads the work of the collector over slices, most of which are shorter than the time
// between two cycles, so that they have a whole one or none. It returns the part of all work so far
// that is due to a slice's bytes, less that of its cycles. The sum over slices is nothing.
func (g *garbage) evened() time.Duration {
	all := []metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
	}
	metrics.Read(all)
	now := garbage{float64(all[0].Value.Uint64()), float64(all[1].Value.Uint64())}
	before := *g
	*g = now
	if before.cycles == 0 {
		return 0
	}
	part := (now.bytes-before.bytes)/now.bytes - (now.cycles-before.cycles)/now.cycles
	return time.Duration(part * all[2].Value.Float64() * float64(time.Second))
}
