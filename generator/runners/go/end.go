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

// end is one end of a connection.
//
// A handshake blocks until it has the peer's bytes, so it runs in its own goroutine, with control
// handed over and back for each turn: only one goroutine per thread runs at a time.
type end struct {
	*tls.Conn
	in, out *bytes.Buffer
	// What its goroutine does.
	work    func()
	control chan struct{}
	isOver  bool
	err     error
}

func newEnd(in, out *bytes.Buffer, make func(net.Conn) *tls.Conn, readsTickets bool) *end {
	e := &end{in: in, out: out}
	e.Conn = make(conn{end: e})
	e.work = func() {
		e.err = e.Handshake()
		e.isOver = true
		if e.err == nil && readsTickets {
			// crypto/tls leaves tickets to the next read.
			if _, err := e.Read([]byte{0}); !errors.Is(err, os.ErrDeadlineExceeded) {
				e.err = errors.Join(err, errors.New("data follows the handshake"))
			}
		}
	}
	return e
}

// turn advances the handshake as far as the bytes from the peer allow.
func (e *end) turn() error {
	switch {
	case e.isOver:
	case e.control != nil:
		e.handOver()
	default:
		e.control = make(chan struct{})
		go func() {
			e.work()
			e.control <- struct{}{}
		}()
		<-e.control
	}
	return e.err
}

// handOver hands control over to the other goroutine, and waits until it is handed back.
func (e *end) handOver() {
	e.control <- struct{}{}
	<-e.control
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

// abandon ends the goroutine of an unfinished handshake.
func (e *end) abandon() {
	e.in = nil
	_ = e.turn()
}

// conn is what crypto/tls reads from and writes to. It calls no other method of a net.Conn.
type conn struct {
	net.Conn
	end *end
}

func (c conn) Read(into []byte) (int, error) {
	for c.end.in == nil || c.end.in.Len() == 0 {
		switch {
		case c.end.isOver:
			// crypto/tls treats it as temporary, so that later reads succeed.
			return 0, os.ErrDeadlineExceeded
		case c.end.in == nil:
			return 0, net.ErrClosed
		}
		c.end.handOver()
	}
	return c.end.in.Read(into)
}

func (c conn) Write(data []byte) (int, error) { return c.end.out.Write(data) }

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
