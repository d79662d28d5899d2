package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	_ "unsafe" // for linkname
)

const name = "Go"

// crypto/tls has no setting for TLS 1.3 suites. So both lists are set to the measured suite, as QUIC
// implementations do, for which Go keeps these names (go.dev/issue/67401).
//
//go:linkname defaultCipherSuitesTLS13 crypto/tls.defaultCipherSuitesTLS13
var defaultCipherSuitesTLS13 []uint16

//go:linkname defaultCipherSuitesTLS13NoAES crypto/tls.defaultCipherSuitesTLS13NoAES
var defaultCipherSuitesTLS13NoAES []uint16

// unsupported is the reason why crypto/tls cannot do a scenario. A row states it, and the run
// continues.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// groups has the numbers of key exchanges in IANA's registry, and the first minor release of Go 1
// with them.
var groups = map[string]struct {
	ids   []tls.CurveID
	since int
}{
	"x25519":                {[]tls.CurveID{tls.X25519}, 0},
	"secp256r1":             {[]tls.CurveID{tls.CurveP256}, 0},
	"secp384r1":             {[]tls.CurveID{tls.CurveP384}, 0},
	"x25519mlkem768":        {[]tls.CurveID{4588}, 24},
	"x25519mlkem768+x25519": {[]tls.CurveID{4588, tls.X25519}, 24},
	"secp256r1mlkem768":     {[]tls.CurveID{4587}, 26},
}

// The first minor release of Go 1 with ML-DSA certificates.
const mlDsaSince = 27

func version() string { return strings.TrimPrefix(runtime.Version(), "go") }

func minor() int {
	parts := strings.Split(version(), ".")
	n, _ := strconv.Atoi(parts[min(1, len(parts)-1)])
	return n
}

// check fails if the release or the TLS version lacks a feature of the scenario.
func check(s scenario) error {
	hasHybrid := strings.Contains(s.group, "mlkem")
	hasMlDsa := strings.HasPrefix(s.key, "ml-dsa")
	since := groups[s.group].since
	switch {
	case s.method == "vectored":
		return unsupported("crypto/tls has no vectored write")
	case s.fragment > 0:
		return unsupported("crypto/tls has no setting for the fragment size")
	case s.resumption == "session id":
		return unsupported("crypto/tls resumes sessions by ticket only")
	case hasHybrid && !s.is13():
		return unsupported("TLS 1.2 has no post-quantum key exchange")
	case hasMlDsa && !s.is13():
		return unsupported("TLS 1.2 has no ML-DSA")
	case minor() < since:
		return unsupported(fmt.Sprintf("Go has no key exchange %s before 1.%d", s.group, since))
	case hasMlDsa && minor() < mlDsaSince:
		return unsupported(fmt.Sprintf("Go has no ML-DSA before 1.%d", mlDsaSince))
	}
	return nil
}

// library is crypto/tls, configured for one scenario on both sides.
type library struct {
	scenario
	suite          string
	client, server *tls.Config
}

func configure(s scenario, certificates string) (*library, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	suite, err := suite(s.suite())
	if err != nil {
		return nil, err
	}
	defaultCipherSuitesTLS13 = []uint16{suite}
	defaultCipherSuitesTLS13NoAES = defaultCipherSuitesTLS13
	folder := filepath.Join(certificates, s.key)
	roots := x509.NewCertPool()
	pem, err := os.ReadFile(filepath.Join(folder, "root.pem"))
	if err != nil {
		return nil, err
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("no certificate in root.pem")
	}
	number := uint16(tls.VersionTLS13)
	if !s.is13() {
		number = tls.VersionTLS12
	}
	common := tls.Config{
		MinVersion:             number,
		MaxVersion:             number,
		CipherSuites:           []uint16{suite},
		CurvePreferences:       groups[s.group].ids,
		SessionTicketsDisabled: s.resumption == "",
		// Records of 16 KiB from the first on, as in other libraries.
		DynamicRecordSizingDisabled: true,
	}
	client, server := common.Clone(), common.Clone()
	client.RootCAs, client.ServerName = roots, "localhost"
	if server.Certificates, err = identity(folder, "server"); err != nil {
		return nil, err
	}
	if s.isMutual {
		if client.Certificates, err = identity(folder, "client"); err != nil {
			return nil, err
		}
		server.ClientCAs, server.ClientAuth = roots, tls.RequireAndVerifyClientCert
	}
	if s.resumption != "" {
		client.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	}
	return &library{s, s.suite(), client, server}, nil
}

func identity(folder, who string) ([]tls.Certificate, error) {
	path := filepath.Join(folder, who)
	certificate, err := tls.LoadX509KeyPair(path+".pem", path+".key")
	return []tls.Certificate{certificate}, err
}

// suite returns the number of a cipher suite.
func suite(name string) (uint16, error) {
	for _, suite := range tls.CipherSuites() {
		if suite.Name == name {
			return suite.ID, nil
		}
	}
	return 0, unsupported("crypto/tls has no " + name)
}

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
	link.clear()
	var times sides
	ends := &pair{}
	timed(&times.first, func() { ends.client = l.newClient(link) })
	timed(&times.second, func() { ends.server = l.newServer(link) })
	for i := 0; i < maxTurns; i++ {
		if err := ends.client.timedTurn(&times.first); err != nil {
			return ends, times, err
		}
		if !ends.isHandshaking() {
			return ends, times, nil
		}
		if err := ends.server.timedTurn(&times.second); err != nil {
			return ends, times, err
		}
	}
	return ends, times, errors.New("the handshake does not end")
}

// wasResumed returns whether the session was resumed, and fails if the two ends disagree.
func (p *pair) wasResumed() (bool, error) {
	client, server := p.client.ConnectionState(), p.server.ConnectionState()
	if client.DidResume != server.DidResume {
		return false, errors.New("one end resumed the session and the other did not")
	}
	return client.DidResume, nil
}

// verify checks that both ends negotiated what the scenario asks for. It returns the group, if the
// release reports it.
func (p *pair) verify(l *library) (string, error) {
	var negotiated string
	for _, end := range []*end{p.server, p.client} {
		state := end.ConnectionState()
		negotiated = group(state)
		isGroup := l.group == "" || l.group == "x25519mlkem768+x25519" || negotiated == "" || negotiated == l.group
		version := strings.TrimPrefix(tls.VersionName(state.Version), "TLS ")
		suite := tls.CipherSuiteName(state.CipherSuite)
		if version != l.version || suite != l.suite || !isGroup {
			return "", fmt.Errorf("negotiated %s, %s, %s", version, suite, negotiated)
		}
	}
	return negotiated, nil
}

const hello = "hello"

// prime makes and verifies a first connection, which leaves a session to resume in the cache. It
// returns the group.
func (l *library) prime() (string, error) {
	pair, _, err := l.connect(&link{})
	if err != nil {
		return "", err
	}
	switch isResumed, err := pair.wasResumed(); {
	case err != nil:
		return "", err
	case isResumed:
		return "", errors.New("the first handshake resumed a session")
	}
	group, err := pair.verify(l)
	if err != nil {
		return "", err
	}
	if _, err := pair.server.Write([]byte(hello)); err != nil {
		return "", err
	}
	got := make([]byte, len(hello))
	if err := receive(pair.client, got, len(hello)); err != nil {
		return "", err
	}
	if string(got) != hello {
		return "", errors.New("the data received is not the data sent")
	}
	return group, nil
}
