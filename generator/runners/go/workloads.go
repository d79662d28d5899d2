package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The work with a multiplier of 1, the same as in the other runners: see ../README.md.
const (
	smallTotal  = 64 << 20
	total       = 1 << 30
	smallWrite  = 8192
	maxRecord   = 16 << 10
	full        = 512
	resumed     = 4096
	hellos      = 4096
	messages    = 65536
	memorySteps = 5
	message     = 1024
)

// result has the values of a workload, in the order of its outline, and a caveat.
type result struct {
	values []float64
	caveat string
}

func (l *library) run(s scenario, o *options) (result, error) {
	group, err := l.prime(s)
	if err != nil {
		return result{}, err
	}
	switch s.workload {
	case "transfer":
		return l.transfers(s, o.multiplier)
	case "memory":
		return l.memory(s)
	case "writes":
		return l.writes(s, o.multiplier)
	}
	found := result{caveat: caveat(s, group)}
	switch s.workload {
	case "client hello":
		found.values, err = l.hellos(o.multiplier)
	default:
		found.values, err = l.handshakes(s, o)
	}
	return found, err
}

func rounds(count int, multiplier float64) int {
	return max(1, int(math.Round(float64(count)*multiplier)))
}

// onThreads runs work on all of the scenario's threads in parallel.
func onThreads[R any](s scenario, work func() (R, error)) ([]R, error) {
	if s.threads() == 1 {
		one, err := work()
		return []R{one}, err
	}
	all := make([]R, s.threads())
	failed := make(chan error)
	for i := range all {
		i := i
		go func() {
			var err error
			all[i], err = work()
			failed <- err
		}()
	}
	var first error
	for range all {
		if err := <-failed; first == nil {
			first = err
		}
	}
	return all, first
}

func (l *library) transfers(s scenario, multiplier float64) (result, error) {
	size := s.writeSize()
	bytes := total
	if size <= smallWrite {
		bytes = smallTotal
	}
	rounds := rounds(bytes/size, multiplier)
	threads, err := onThreads(s, func() (sides, error) { return l.transfer(size, rounds) })
	var sending, receiving float64
	for _, times := range threads {
		mib := float64(rounds*size) / (1 << 20)
		sending += mib / times.server.Seconds()
		receiving += mib / times.client.Seconds()
	}
	return result{values: []float64{sending, receiving}}, err
}

// transfer sends application data from the server to the client.
func (l *library) transfer(size, rounds int) (sides, error) {
	var times sides
	pair := l.pair(&link{})
	if _, err := pair.handshake(); err != nil {
		return times, err
	}
	plaintext, into := make([]byte, size), make([]byte, maxRecord)
	for i := 0; i < rounds; i++ {
		err := timed(&times.server, func() error {
			_, err := pair.server.Write(plaintext)
			return err
		})
		if err != nil {
			return times, err
		}
		if err := timed(&times.client, func() error { return receive(pair.client, into, size) }); err != nil {
			return times, err
		}
	}
	return times, nil
}

// handshake has the times of a handshake, and the time of day at its end.
type handshake struct {
	at time.Time
	sides
}

// handshakes returns the rates of both sides, or the percentiles of each.
func (l *library) handshakes(s scenario, o *options) ([]float64, error) {
	count := full
	if s.isResumed() {
		count = resumed
	}
	rounds := rounds(count, o.multiplier)
	threads, err := onThreads(s, func() ([]handshake, error) { return l.someHandshakes(s, rounds) })
	if err != nil {
		return nil, err
	}
	isLatency := strings.HasPrefix(s.workload, "latency")
	if isLatency && o.latencies != "" {
		if err := writeLatencies(o.latencies, s, threads); err != nil {
			return nil, err
		}
	}
	var values []float64
	for _, side := range bothSides {
		var rate float64
		var samples []time.Duration
		for _, all := range threads {
			var sum time.Duration
			for _, one := range all {
				samples = append(samples, one.of(side))
				sum += one.of(side)
			}
			rate += float64(len(all)) / sum.Seconds()
		}
		if isLatency {
			values = append(values, percentiles(samples)...)
		} else {
			values = append(values, rate)
		}
	}
	return values, nil
}

var bothSides = []string{"client", "server"}

func (s sides) of(side string) time.Duration {
	if side == "client" {
		return s.client
	}
	return s.server
}

func (l *library) someHandshakes(s scenario, rounds int) ([]handshake, error) {
	link := &link{}
	done := make([]handshake, 0, rounds)
	for len(done) < rounds {
		pair := l.pair(link)
		times, err := pair.handshake()
		if err != nil {
			return nil, err
		}
		at := time.Now()
		if _, err := pair.verify(s); err != nil {
			return nil, err
		}
		switch isResumed, err := pair.wasResumed(); {
		case err != nil:
			return nil, err
		case isResumed != s.isResumed():
			return nil, fmt.Errorf("handshake %d of %d: resumed is %t", len(done)+1, rounds, isResumed)
		}
		done = append(done, handshake{at, times})
	}
	return done, nil
}

// hellos returns the rate of ClientHellos, and their size.
func (l *library) hellos(multiplier float64) ([]float64, error) {
	var times sides
	var bytes int
	link := &link{}
	count := rounds(hellos, multiplier)
	for i := 0; i < count; i++ {
		pair := l.pair(link)
		if err := timed(&times.client, pair.client.turn); err != nil {
			return nil, err
		}
		bytes = link.toServer.unread()
		pair.client.abandon()
	}
	return []float64{float64(count) / times.client.Seconds(), float64(bytes)}, nil
}

// writes returns percentiles of the time to write a message of several buffers, and its bytes on the
// wire.
func (l *library) writes(s scenario, multiplier float64) (result, error) {
	var buffers [][]byte
	var joined []byte
	size := 0
	for _, n := range s.buffers() {
		buffers = append(buffers, make([]byte, n))
		size += n
	}
	link := &link{}
	pair := l.pair(link)
	if _, err := pair.handshake(); err != nil {
		return result{}, err
	}
	write := func() error {
		if s.words["method"] == "copy and write" {
			joined = joined[:0]
			for _, buffer := range buffers {
				joined = append(joined, buffer...)
			}
			_, err := pair.client.Write(joined)
			return err
		}
		for _, buffer := range buffers {
			if _, err := pair.client.Write(buffer); err != nil {
				return err
			}
		}
		return nil
	}
	var samples []time.Duration
	onWire, into := 0, make([]byte, maxRecord)
	for i := rounds(messages, multiplier); i > 0; i-- {
		var sample time.Duration
		if err := timed(&sample, write); err != nil {
			return result{}, err
		}
		samples = append(samples, sample)
		onWire = link.toServer.unread()
		if err := receive(pair.server, into, size); err != nil {
			return result{}, err
		}
	}
	return result{values: append(percentiles(samples), float64(onWire))}, nil
}

// memory returns the peak resident memory with many sessions, whose handshakes run in lockstep.
func (l *library) memory(s scenario) (result, error) {
	pairs := make([]*pair, s.count("sessions", 0)/2)
	links := make([]link, len(pairs))
	for i := range pairs {
		pairs[i] = l.pair(&links[i])
	}
	for step := 0; step < memorySteps+1; step++ {
		for i, pair := range pairs {
			if step > 0 {
				if err := pair.server.turn(); err != nil {
					return result{}, err
				}
			}
			if err := pair.client.turn(); err != nil {
				return result{}, err
			}
			// Keep the client's bytes for the next step, without spare capacity.
			links[i].toServer.bytes = append([]byte(nil), links[i].toServer.bytes...)
			links[i].toClient.bytes = nil
			links[i].toClient.read = 0
		}
	}
	data, into := make([]byte, message), make([]byte, maxRecord)
	for _, pair := range pairs {
		if pair.isHandshaking() {
			return result{}, errors.New("the handshakes do not end")
		}
		if _, err := pair.client.Write(data); err != nil {
			return result{}, err
		}
		if err := receive(pair.server, into, message); err != nil {
			return result{}, err
		}
	}
	peak, err := peakKiB()
	runtime.KeepAlive(pairs)
	return result{values: []float64{peak}}, err
}

// peakKiB returns the peak resident memory since the start of the program.
func peakKiB() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, isThere := strings.Cut(rest, "kB")
	if !isThere {
		return 0, errors.New("no VmHWM in /proc/self/status")
	}
	return strconv.ParseFloat(strings.TrimSpace(kib), 64)
}
