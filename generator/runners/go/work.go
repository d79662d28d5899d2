package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"os"
	"strconv"
	"strings"
)

const (
	maxRecord = 16 << 10
	message   = 1024
)

// open makes a first connection, and the operations of all threads. It returns what the first
// connection shows.
func (l *library) open() (facts string, all []operation, err error) {
	// It leaves a session to resume in the cache.
	first := new(link).pair()
	if _, err = l.connect(first); err != nil {
		return "", nil, err
	}
	group, err := first.verify(l.scenario, false)
	if err != nil {
		return "", nil, err
	}
	// A session of TLS 1.2 is resumed without a key exchange.
	if group != "" && (l.is13() || !l.resumes()) {
		facts = " group=" + group
	}
	onWire := 0
	for len(all) < l.number("threads") {
		pair, link := new(link).pair(), new(link)
		if _, err = l.connect(pair); err != nil {
			return "", nil, err
		}
		switch l.scenario["workload"] {
		case "transfer":
			all = append(all, pair.transfer(make([]byte, l.number("bytes"))))
		case "writes":
			all = append(all, l.writes(pair, &onWire))
		case "client hello":
			all = append(all, l.hello(link, &onWire))
		default:
			all = append(all, l.handshake(link))
		}
	}
	if _, err = all[0](); onWire > 0 {
		facts += " bytes=" + strconv.Itoa(onWire)
	}
	return facts, all, err
}

// handshake makes handshakes, which are verified after the timed part.
func (l *library) handshake(link *link) operation {
	return func() (sides, error) {
		pair := link.pair()
		times, err := l.connect(pair)
		if err == nil {
			_, err = pair.verify(l.scenario, l.resumes())
		}
		return times, err
	}
}

// transfer sends application data from the server to the client.
func (p pair) transfer(plaintext []byte) operation {
	piece := make([]byte, maxRecord)
	return func() (times sides, err error) {
		times[0] = timed(func() { _, err = p.server.tls.Write(plaintext) })
		if err == nil {
			times[1] = timed(func() { err = p.client.receive(piece, len(plaintext)) })
		}
		return times, err
	}
}

// hello creates ClientHellos, which nobody answers, and sets their size.
func (l *library) hello(link *link, size *int) operation {
	return func() (sides, error) {
		pair := link.pair()
		pair.server.isOver = true
		pair.client.handshake(tls.Client, l.client, false)
		*size = pair.server.in.Len()
		if errors.Is(pair.client.err, os.ErrDeadlineExceeded) {
			pair.client.err = nil
		}
		return sides{pair.client.time}, pair.client.err
	}
}

// writes sends messages of several buffers from the client, and sets their size on the wire.
func (l *library) writes(p pair, onWire *int) operation {
	var buffers [][]byte
	for _, size := range strings.Split(l.scenario["buffers"], ",") {
		n, _ := strconv.Atoi(size)
		buffers = append(buffers, make([]byte, n))
	}
	size := len(bytes.Join(buffers, nil))
	joined, piece := make([]byte, 0, size), make([]byte, maxRecord)
	isCopied := l.scenario["method"] == "copy and write"
	return func() (times sides, err error) {
		times[0] = timed(func() {
			joined = joined[:0]
			for _, buffer := range buffers {
				if isCopied {
					joined = append(joined, buffer...)
				} else if _, err = p.client.tls.Write(buffer); err != nil {
					return
				}
			}
			if isCopied {
				_, err = p.client.tls.Write(joined)
			}
		})
		*onWire = p.server.in.Len()
		if err == nil {
			err = p.server.receive(piece, size)
		}
		return times, err
	}
}

// peak returns the process's peak resident memory in KiB, with many sessions, whose handshakes run in
// lockstep.
func (l *library) peak() (string, error) {
	pairs := make([]pair, l.number("sessions")/2)
	links := make([]link, len(pairs))
	steps, errs := make([]chan struct{}, len(pairs)), make([]error, len(pairs))
	for i := range pairs {
		step, pair := make(chan struct{}), links[i].pair()
		pair.client.pause = func() { step <- struct{}{}; <-step }
		pairs[i], steps[i] = pair, step
		go func(err *error) {
			<-step
			_, *err = l.connect(pair)
			close(step)
		}(&errs[i])
	}
	for isBusy := true; isBusy; {
		isBusy = false
		for i, step := range steps {
			if step == nil {
				continue
			}
			isBusy = true
			step <- struct{}{}
			if _, isAlive := <-step; !isAlive {
				steps[i] = nil
			}
			// What waits for the next step, without spare capacity.
			for side := range links[i] {
				waiting := bytes.Clone(links[i][side].Bytes())
				links[i][side] = *bytes.NewBuffer(waiting)
			}
		}
	}
	piece := make([]byte, maxRecord)
	for i, pair := range pairs {
		err := errs[i]
		if err == nil {
			_, err = pair.client.tls.Write(piece[:message])
		}
		if err == nil {
			err = pair.server.receive(piece, message)
		}
		if err != nil {
			return "", err
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		_, err = pairs[0].verify(l.scenario, false)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, _ := strings.Cut(rest, "kB")
	return strings.TrimSpace(kib), err
}
