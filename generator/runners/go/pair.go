package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strings"
)

// pair is a client and a server connected by a link.
type pair struct{ client, server *end }

// Limit on turns of each end, above that of any handshake.
const maxTurns = 8

func (l *library) newClient(link *link) *end {
	end := newEnd(&link.toClient, &link.toServer, func(c net.Conn) *tls.Conn { return tls.Client(c, l.client) })
	end.readsTickets = l.is13() && l.resumption != ""
	return end
}

func (l *library) newServer(link *link) *end {
	return newEnd(&link.toServer, &link.toClient, func(c net.Conn) *tls.Conn { return tls.Server(c, l.server) })
}

// connect creates both ends and runs the whole handshake. The client has the first turn and the
// last.
func (l *library) connect(link *link) (*pair, sides, error) {
	link.toClient.Reset()
	link.toServer.Reset()
	var times sides
	ends := &pair{}
	timed(&times[0], func() { ends.client = l.newClient(link) })
	timed(&times[1], func() { ends.server = l.newServer(link) })
	for i := 0; i < maxTurns; i++ {
		if err := ends.client.timedTurn(&times[0]); err != nil {
			return ends, times, err
		}
		if !ends.isHandshaking() {
			return ends, times, nil
		}
		if err := ends.server.timedTurn(&times[1]); err != nil {
			return ends, times, err
		}
	}
	return ends, times, errors.New("the handshake does not end")
}

func (p *pair) isHandshaking() bool { return !p.client.isOver || !p.server.isOver }

// verify checks that both ends negotiated what the scenario asks for, and whether they resumed a
// session. It returns the group, if the release reports it.
func (p *pair) verify(s *scenario, isResuming bool) (string, error) {
	var negotiated string
	for _, end := range []*end{p.server, p.client} {
		state := end.ConnectionState()
		negotiated = group(state)
		isGroup := len(groups[s.group].ids) != 1 || negotiated == "" || negotiated == s.group
		version := strings.TrimPrefix(tls.VersionName(state.Version), "TLS ")
		suite := tls.CipherSuiteName(state.CipherSuite)
		if version != s.version || suite != s.suite || !isGroup {
			return "", fmt.Errorf("negotiated %s, %s, %s", version, suite, negotiated)
		}
		if state.DidResume != isResuming {
			return "", fmt.Errorf("resumed is %t", state.DidResume)
		}
	}
	return negotiated, nil
}

// group returns the key exchange of a connection, named as in labels if they have a name for it. Go
// reports it from 1.25 on.
func group(state tls.ConnectionState) string {
	field := reflect.ValueOf(state).FieldByName("CurveID")
	if !field.IsValid() || field.IsZero() {
		return ""
	}
	for name, group := range groups {
		if len(group.ids) == 1 && uint64(group.ids[0]) == field.Uint() {
			return name
		}
	}
	return fmt.Sprint(field)
}

const hello = "hello"

// prime makes and verifies a first connection, which leaves a session to resume in the cache. It
// returns the group.
func (l *library) prime() (string, error) {
	pair, _, err := l.connect(&link{})
	if err != nil {
		return "", err
	}
	group, err := pair.verify(&l.scenario, false)
	if err != nil {
		return "", err
	}
	if _, err := pair.server.Write([]byte(hello)); err != nil {
		return "", err
	}
	got := make([]byte, len(hello))
	if err := pair.client.receive(got, len(hello)); err != nil {
		return "", err
	}
	if string(got) != hello {
		return "", errors.New("the data received is not the data sent")
	}
	return group, nil
}
