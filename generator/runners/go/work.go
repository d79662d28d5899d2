package main

import (
	"bytes"
	"errors"
	"fmt"
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
	group, err := l.prime()
	if err != nil {
		return "", nil, err
	}
	// A session of TLS 1.2 is resumed without a key exchange.
	if group != "" && (l.is13() || l.resumption == "") {
		facts = " group=" + group
	}
	var onWire int
	for range make([]struct{}, l.threads) {
		var once operation
		switch l.workload {
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
	if l.workload == "writes" || l.workload == "client hello" {
		if _, err := all[0](); err != nil {
			return "", nil, err
		}
		facts += " bytes=" + strconv.Itoa(onWire)
	}
	return facts, all, nil
}

// handshakes makes handshakes, which are verified after the timed part. A client reads one ticket in
// each that is resumed.
func (l *library) handshakes() operation {
	link := &link{}
	return func() (sides, error) {
		before := l.tickets.read.Load()
		pair, times, err := l.connect(link)
		if err != nil {
			return times, err
		}
		_, err = pair.verify(&l.scenario, l.resumption != "")
		read := l.tickets.read.Load() - before
		if err == nil && l.resumption != "" && l.threads == 1 && read != 1 {
			err = fmt.Errorf("the client read %d tickets", read)
		}
		return times, err
	}
}

// transfer sends application data from the server to the client.
func (l *library) transfer() (operation, error) {
	pair, _, err := l.connect(&link{})
	plaintext, piece := make([]byte, l.writeSize), make([]byte, maxRecord)
	return func() (times sides, err error) {
		timed(&times[0], func() { _, err = pair.server.Write(plaintext) })
		if err != nil {
			return times, err
		}
		timed(&times[1], func() { err = pair.client.receive(piece, l.writeSize) })
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
	var joined []byte
	size := 0
	for _, n := range l.buffers {
		buffers = append(buffers, make([]byte, n))
		size += n
	}
	link := &link{}
	pair, _, err := l.connect(link)
	write := func() error {
		all := buffers
		if l.method == "copy and write" {
			joined = joined[:0]
			for _, buffer := range buffers {
				joined = append(joined, buffer...)
			}
			all = [][]byte{joined}
		}
		for _, buffer := range all {
			if _, err := pair.client.Write(buffer); err != nil {
				return err
			}
		}
		return nil
	}
	piece := make([]byte, maxRecord)
	return func() (times sides, err error) {
		timed(&times[0], func() { err = write() })
		if err != nil {
			return times, err
		}
		*onWire = link.toServer.Len()
		return times, pair.server.receive(piece, size)
	}, err
}

// peak returns the process's peak resident memory with many sessions, whose handshakes run in
// lockstep.
func (l *library) peak() (string, error) {
	pairs := make([]*pair, l.sessions/2)
	links := make([]link, len(pairs))
	for i := range pairs {
		pairs[i] = &pair{l.newClient(&links[i]), l.newServer(&links[i])}
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
	peak, err := peakKiB()
	if err == nil && len(pairs) > 0 {
		_, err = pairs[0].verify(&l.scenario, false)
	}
	runtime.KeepAlive(pairs)
	return peak, err
}

// peakKiB returns the peak resident memory since the start of the program.
func peakKiB() (string, error) {
	status, err := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, isThere := strings.Cut(rest, "kB")
	if err == nil && !isThere {
		err = errors.New("no VmHWM in /proc/self/status")
	}
	return strings.TrimSpace(kib), err
}
