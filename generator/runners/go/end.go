package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"time"
)

// link is both directions between two ends: bytes that one has sent and the other has not read yet. It
// is reused for one handshake after the other.
type link struct{ toClient, toServer bytes.Buffer }

// end is one end of a connection, and the net.Conn below it.
//
// A handshake blocks until it has the peer's bytes, so it runs in its own goroutine, with control
// handed over and back for each turn: only one goroutine per thread runs at a time.
type end struct {
	*tls.Conn
	in, out        *bytes.Buffer
	resume, paused chan struct{}
	readsTickets   bool
	isStarted      bool
	isOver         bool
	err            error
}

func newEnd(in, out *bytes.Buffer, make func(net.Conn) *tls.Conn) *end {
	e := &end{in: in, out: out, resume: newSignal(), paused: newSignal()}
	e.Conn = make(conn{e})
	return e
}

func newSignal() chan struct{} { return make(chan struct{}) }

// turn advances the handshake as far as the bytes from the peer allow.
func (e *end) turn() error {
	switch {
	case e.isOver:
		return e.err
	case !e.isStarted:
		e.isStarted = true
		go func() {
			e.err = e.Handshake()
			e.isOver = true
			if e.err == nil && e.readsTickets {
				e.err = e.readTickets()
			}
			e.paused <- struct{}{}
		}()
	default:
		e.resume <- struct{}{}
	}
	<-e.paused
	return e.err
}

// timedTurn adds the time of a turn to total, less that of handing over control.
func (e *end) timedTurn(total *time.Duration) (err error) {
	isEmpty := e.isOver
	var spent time.Duration
	timed(&spent, func() { err = e.turn() })
	if !isEmpty {
		spent = max(0, spent-turnTime)
	}
	*total += spent
	return err
}

// readTickets reads what follows the handshake: crypto/tls leaves it to the next read.
func (e *end) readTickets() error {
	_, err := e.Read(make([]byte, 1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return errors.Join(err, errors.New("data follows the handshake"))
}

// abandon ends the goroutine of an unfinished handshake.
func (e *end) abandon() {
	if e.isStarted && !e.isOver {
		e.in = nil
		_ = e.turn()
	}
}

// conn is the net.Conn that crypto/tls reads from and writes to.
type conn struct{ *end }

func (c conn) Read(into []byte) (int, error) {
	for c.in.Len() == 0 {
		if c.isOver {
			// crypto/tls treats it as temporary, so that later reads succeed.
			return 0, os.ErrDeadlineExceeded
		}
		c.paused <- struct{}{}
		<-c.resume
		if c.in == nil {
			return 0, net.ErrClosed
		}
	}
	return c.in.Read(into)
}

func (c conn) Write(data []byte) (int, error) { return c.out.Write(data) }

func (conn) Close() error                     { return nil }
func (conn) LocalAddr() net.Addr              { return nil }
func (conn) RemoteAddr() net.Addr             { return nil }
func (conn) SetDeadline(time.Time) error      { return nil }
func (conn) SetReadDeadline(time.Time) error  { return nil }
func (conn) SetWriteDeadline(time.Time) error { return nil }

// receive reads size bytes in pieces, and fails if there are more.
func (e *end) receive(piece []byte, size int) error {
	for size > 0 {
		n, err := e.Read(piece)
		if err != nil {
			return err
		}
		size -= n
	}
	if size < 0 {
		return errors.New("more data was received than sent")
	}
	return nil
}
