package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"reflect"
)

// pair is a client and a server connected by a link.
type pair struct{ client, server *end }

// Limit on turns of both ends, above that of any handshake.
const maxTurns = 16

func (l *library) newClient(link *link) *end {
	make := func(c net.Conn) *tls.Conn { return tls.Client(c, l.client) }
	return newEnd(&link.toClient, &link.toServer, make, l.is13() && l.resumes())
}

func (l *library) newServer(link *link) *end {
	make := func(c net.Conn) *tls.Conn { return tls.Server(c, l.server) }
	return newEnd(&link.toServer, &link.toClient, make, false)
}

// connect creates both ends and runs the whole handshake. The client has the first turn and the
// last.
func (l *library) connect(link *link) (ends pair, times sides, err error) {
	link.toClient.Reset()
	link.toServer.Reset()
	timed(&times[0], func() { ends.client = l.newClient(link) })
	timed(&times[1], func() { ends.server = l.newServer(link) })
	for i := 0; i < maxTurns; i += 2 {
		if err = ends.client.timedTurn(&times[0]); err != nil || !ends.isHandshaking() {
			return ends, times, err
		}
		if err = ends.server.timedTurn(&times[1]); err != nil {
			return ends, times, err
		}
	}
	return ends, times, errors.New("the handshake does not end")
}

func (p pair) isHandshaking() bool { return !p.client.isOver || !p.server.isOver }

// verify checks that both ends negotiated what the scenario asks for, and whether they resumed a
// session. It returns the group, which Go reports from 1.25 on.
func (p pair) verify(s scenario, isResuming bool) (group string, err error) {
	for _, end := range []*end{p.server, p.client} {
		state := end.ConnectionState()
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
