package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// lanes has the operation of each thread.
type lanes []operation

// share is what one thread did of a slice.
type share struct {
	times   sides
	singles []sides
	err     error
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

// slice does n operations on each thread, and returns `FIRST SECOND WALL CPU SWITCHES` with the
// single times, if the scenario asks for them.
func (l lanes) slice(s scenario, n int) (string, error) {
	isSingle := s.workload == "writes" || strings.HasPrefix(s.workload, "latency")
	shares := make([]share, len(l))
	var ready, done sync.WaitGroup
	ready.Add(len(l))
	done.Add(len(l))
	together := make(chan struct{})
	for i, once := range l {
		mine, once := &shares[i], once
		if isSingle {
			mine.singles = make([]sides, 0, n)
		}
		go func() {
			defer done.Done()
			for lead := s.leadIn(); lead > 0 && mine.err == nil; lead-- {
				_, mine.err = once()
			}
			ready.Done()
			<-together
			for count := n; count > 0 && mine.err == nil; count-- {
				var times sides
				times, mine.err = once()
				mine.times.first += times.first
				mine.times.second += times.second
				if isSingle {
					mine.singles = append(mine.singles, times)
				}
			}
		}()
	}
	ready.Wait()
	before, start := usageNow(), time.Now()
	close(together)
	done.Wait()
	wall, after := time.Since(start), usageNow()
	var collecting collection
	if isSingle {
		// A cycle that has begun ends meanwhile, not while other programs are measured.
		time.Sleep(time.Millisecond)
	} else {
		collecting = collect()
	}
	var inverse [2]float64
	var singles strings.Builder
	for side := range inverse {
		for _, share := range shares {
			if share.err != nil {
				return "", share.err
			}
			inverse[side] += 1 / float64(share.times.of(side))
			for _, one := range share.singles {
				if side == 0 || s.workload != "writes" {
					fmt.Fprintf(&singles, " %d", one.of(side))
				}
			}
		}
	}
	if inverse[0] == 0 || wall == 0 {
		return "", errors.New("the clock stands still")
	}
	// The harmonic mean over threads, with the same part of the collection for each time.
	mean := func(inverse float64) int64 {
		if math.IsInf(inverse, 1) {
			return 0
		}
		collected := 1 + float64(collecting.wall)/float64(wall)
		return int64(math.Round(float64(len(l)) / inverse * collected))
	}
	return fmt.Sprintf("%d %d %d %d %d%s", mean(inverse[0]), mean(inverse[1]), wall+collecting.wall,
		after.cpu-before.cpu+collecting.cpu, after.switches-before.switches, singles.String()), nil
}

// collection is the time of a slice's part of a cycle of the garbage collector.
type collection struct{ wall, cpu time.Duration }

// collect collects the garbage of a slice. A slice is shorter than the time between two cycles, so
// most have none, and some a whole one. So each bears the part of a cycle by which its garbage
// brought the next one nearer, and none runs between slices.
func collect() collection {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used, start := usageNow(), time.Now()
	runtime.GC()
	wall, cpu := time.Since(start), usageNow().cpu-used.cpu
	runtime.ReadMemStats(&after)
	live := float64(after.HeapAlloc)
	part := (float64(before.HeapAlloc) - live) / (float64(before.NextGC) - live)
	part = max(0, min(part, 1))
	return collection{time.Duration(part * float64(wall)), time.Duration(part * float64(cpu))}
}
