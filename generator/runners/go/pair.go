package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"reflect"
	"time"
)

// end is one end of a connection, and what crypto/tls reads from and writes to.
//
// A handshake blocks until it has the peer's bytes. So the server's has a goroutine of its own, and an end
// that has read all there is hands control over to the other: of both, only one runs at a time.
type end struct {
	// crypto/tls calls none of its methods.
	net.Conn
	tls  *tls.Conn
	peer *end
	// What the peer has sent.
	in *bytes.Buffer
	// Where it gets control; and what it does before it hands it over, if anything.
	turn   chan struct{}
	pause  func()
	isOver bool
	err    error
	// The time of its handshake without that of the peer, which runs since start.
	time  time.Duration
	start time.Time
}

// link has what is sent to the client and to the server. It is reused for one handshake after the other.
type link [2]bytes.Buffer

type pair struct{ client, server *end }

func (l *link) pair() pair {
	client := &end{in: &l[0], turn: make(chan struct{})}
	server := &end{in: &l[1], turn: make(chan struct{}), peer: client}
	client.peer = server
	client.in.Reset()
	server.in.Reset()
	return pair{client, server}
}

func (e *end) Write(data []byte) (int, error) { return e.peer.in.Write(data) }

func (e *end) Read(into []byte) (int, error) {
	if e.in.Len() == 0 && !e.isOver && !e.peer.isOver {
		e.stop()
		if e.pause != nil {
			e.pause()
		}
		e.handOver()
		e.start = probe()
	}
	if e.in.Len() == 0 {
		e.stop()
		// crypto/tls treats it as temporary, so that later reads succeed.
		return 0, os.ErrDeadlineExceeded
	}
	return e.in.Read(into)
}

// handOver lets the peer go on until it hands control back.
func (e *end) handOver() {
	e.peer.turn <- struct{}{}
	<-e.turn
}

func (e *end) stop() {
	if !e.start.IsZero() {
		e.time += since(e.start)
		e.start = time.Time{}
	}
}

// handshake makes the handshake of an end, which it creates.
func (e *end) handshake(create func(net.Conn, *tls.Config) *tls.Conn, config *tls.Config, readsTickets bool) {
	e.start = probe()
	e.tls = create(e, config)
	e.err = e.tls.Handshake()
	e.isOver = true
	if e.err == nil && readsTickets {
		// crypto/tls leaves tickets to the next read.
		if _, err := e.tls.Read([]byte{0}); !errors.Is(err, os.ErrDeadlineExceeded) {
			e.err = errors.Join(err, errors.New("data follows the handshake"))
		}
	}
	e.stop()
}

// connect makes the handshake of both ends. The client has the first turn.
func (l *library) connect(p pair) (sides, error) {
	go func() {
		<-p.server.turn
		p.server.handshake(tls.Server, l.server, false)
		p.client.turn <- struct{}{}
	}()
	p.client.handshake(tls.Client, l.client, l.is13() && l.resumes())
	if !p.server.isOver {
		p.client.handOver()
	}
	return sides{p.client.time, p.server.time}, errors.Join(p.client.err, p.server.err)
}

// verify checks that both ends negotiated what the scenario asks for, and whether they resumed a
// session. It returns the group, which Go reports from 1.25 on.
func (p pair) verify(s scenario, isResuming bool) (group string, err error) {
	for _, end := range []*end{p.server, p.client} {
		state := end.tls.ConnectionState()
		field := reflect.ValueOf(state).FieldByName("CurveID")
		wanted, isOther := groups[s["group"]], false
		if field.IsValid() && !field.IsZero() {
			group = fmt.Sprint(field)
			isOther = len(wanted) == 1 && uint64(wanted[0]) != field.Uint()
		}
		version, suite := tls.VersionName(state.Version), tls.CipherSuiteName(state.CipherSuite)
		if version != "TLS "+s["version"] || suite != s["suite"] || isOther || state.DidResume != isResuming {
			return "", fmt.Errorf("negotiated %s, %s, %s; resumed is %t", version, suite, group, state.DidResume)
		}
	}
	return group, nil
}

// receive reads size bytes in pieces, and fails if there are more.
func (e *end) receive(piece []byte, size int) error {
	for size > 0 {
		n, err := e.tls.Read(piece)
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
