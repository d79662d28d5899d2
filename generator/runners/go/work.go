package main

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
)

const (
	maxRecord   = 16 << 10
	memorySteps = 5
	message     = 1024
)

// operation does one operation of a workload on one thread.
type operation func() (sides, error)

// open makes a first connection, and the operations of all threads. It returns what the first
// connection shows.
func (l *library) open() (facts string, all []operation, err error) {
	// It leaves a session to resume in the cache.
	first, _, err := l.connect(&link{})
	if err != nil {
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
	var onWire int
	for len(all) < l.number("threads") {
		var once operation
		switch l.scenario["workload"] {
		case "transfer":
			once, err = l.transfer()
		case "writes":
			once, err = l.writes(&onWire)
		case "client hello":
			once = l.hellos(&onWire)
		default:
			once = l.handshakes()
		}
		if err != nil {
			return "", nil, err
		}
		all = append(all, once)
	}
	if _, err = all[0](); onWire > 0 {
		facts += " bytes=" + strconv.Itoa(onWire)
	}
	return facts, all, err
}

// handshakes makes handshakes, which are verified after the timed part.
func (l *library) handshakes() operation {
	link := &link{}
	return func() (sides, error) {
		pair, times, err := l.connect(link)
		if err == nil {
			_, err = pair.verify(l.scenario, l.resumes())
		}
		return times, err
	}
}

// transfer sends application data from the server to the client.
func (l *library) transfer() (operation, error) {
	pair, _, err := l.connect(&link{})
	plaintext, piece := make([]byte, l.number("bytes")), make([]byte, maxRecord)
	return func() (times sides, err error) {
		timed(&times[0], func() { _, err = pair.server.Write(plaintext) })
		if err == nil {
			timed(&times[1], func() { err = pair.client.receive(piece, len(plaintext)) })
		}
		return times, err
	}, err
}

// hellos creates ClientHellos, and sets their size.
func (l *library) hellos(size *int) operation {
	link := &link{}
	return func() (times sides, err error) {
		link.toServer.Reset()
		var client *end
		timed(&times[0], func() { client = l.newClient(link) })
		err = client.timedTurn(&times[0])
		*size = link.toServer.Len()
		client.abandon()
		return times, err
	}
}

// writes sends messages of several buffers from the client, and sets their size on the wire.
func (l *library) writes(onWire *int) (operation, error) {
	var buffers [][]byte
	size := 0
	for _, text := range strings.Split(l.scenario["buffers"], ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, make([]byte, n))
		size += n
	}
	link := &link{}
	pair, _, err := l.connect(link)
	joined, piece := make([]byte, 0, size), make([]byte, maxRecord)
	write := func() error {
		if l.scenario["method"] == "copy and write" {
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
	return func() (times sides, err error) {
		timed(&times[0], func() { err = write() })
		*onWire = link.toServer.Len()
		if err == nil {
			err = pair.server.receive(piece, size)
		}
		return times, err
	}, err
}

// peak returns the process's peak resident memory in KiB, with many sessions, whose handshakes run in
// lockstep.
func (l *library) peak() (string, error) {
	pairs := make([]pair, l.number("sessions")/2)
	links := make([]link, len(pairs))
	for i := range pairs {
		pairs[i] = pair{l.newClient(&links[i]), l.newServer(&links[i])}
	}
	for step := 0; step <= memorySteps; step++ {
		for i, pair := range pairs {
			if step > 0 {
				if err := pair.server.turn(); err != nil {
					return "", err
				}
			}
			if err := pair.client.turn(); err != nil {
				return "", err
			}
			// Keep the client's bytes for the next step, without spare capacity.
			waiting := bytes.Clone(links[i].toServer.Bytes())
			links[i] = link{toServer: *bytes.NewBuffer(waiting)}
		}
	}
	data, piece := make([]byte, message), make([]byte, maxRecord)
	for _, pair := range pairs {
		if pair.isHandshaking() {
			return "", errors.New("the handshakes do not end")
		}
		if _, err := pair.client.Write(data); err != nil {
			return "", err
		}
		if err := pair.server.receive(piece, message); err != nil {
			return "", err
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		_, err = pairs[0].verify(l.scenario, false)
	}
	runtime.KeepAlive(pairs)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, _ := strings.Cut(rest, "kB")
	return strings.TrimSpace(kib), err
}
