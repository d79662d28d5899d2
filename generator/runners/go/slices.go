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
	monitor monitor
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
	var wall, probe, collecting time.Duration
	var earlier collector
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
			first.Do(func() {
				earlier = readCollector()
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
				collecting = readCollector().due(earlier)
			})
		}()
	}
	done.Wait()
	// A cycle of the garbage collector that has begun ends meanwhile, not while other programs are
	// measured.
	time.Sleep(time.Millisecond)
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
	// The harmonic mean over threads, with the same part of the collections for each time.
	mean := func(inverse float64) int64 {
		if math.IsInf(inverse, 1) {
			return 0
		}
		collected := 1 + float64(collecting/threads)/float64(wall)
		return int64(math.Round(float64(threads) / inverse * collected))
	}
	return fmt.Sprintf("%d %d %d %d %d%s", mean(inverse[0]), mean(inverse[1]), wall+collecting/threads,
		cpu+collecting, probe, singles.String()), nil
}

// collector is what the garbage collector has done since the start of the program.
type collector struct {
	bytes, cycles float64
	time          time.Duration
}

func readCollector() collector {
	all := []metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
	}
	metrics.Read(all)
	seconds := all[2].Value.Float64()
	return collector{
		float64(all[0].Value.Uint64()), float64(all[1].Value.Uint64()),
		time.Duration(seconds * float64(time.Second)),
	}
}

// due returns the collector's time to add to a slice that began at before. Most slices are shorter than
// the time between two cycles. So a slice in which none ends has the time, in the mean, of the bytes that
// it allocates.
func (c collector) due(before collector) time.Duration {
	if c.cycles == 0 || c.cycles != before.cycles {
		return 0
	}
	return time.Duration((c.bytes - before.bytes) / c.bytes * float64(c.time))
}
