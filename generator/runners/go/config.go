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
	hasHybrid := strings.Contains(s.words["group"], "mlkem")
	hasMlDsa := strings.HasPrefix(s.key(), "ml-dsa")
	switch {
	case s.words["method"] == "vectored":
		return unsupported("crypto/tls has no vectored write")
	case s.words["fragment"] != "":
		return unsupported("crypto/tls has no setting for the fragment size")
	case s.words["resumption"] == "session id":
		return unsupported("crypto/tls resumes sessions by ticket only")
	case hasHybrid && !s.is13():
		return unsupported("TLS 1.2 has no post-quantum key exchange")
	case hasMlDsa && !s.is13():
		return unsupported("TLS 1.2 has no ML-DSA")
	case s.hasGroup() && minor() < groups[s.words["group"]].since:
		return unsupported(fmt.Sprintf("Go has no key exchange %s before 1.%d", s.words["group"], groups[s.words["group"]].since))
	case hasMlDsa && minor() < mlDsaSince:
		return unsupported(fmt.Sprintf("Go has no ML-DSA before 1.%d", mlDsaSince))
	}
	return nil
}

// library is crypto/tls, configured for one scenario on both sides.
type library struct{ client, server *tls.Config }

func configure(s scenario, certificates string) (*library, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	suite, err := suite(s)
	if err != nil {
		return nil, err
	}
	defaultCipherSuitesTLS13 = []uint16{suite}
	defaultCipherSuitesTLS13NoAES = defaultCipherSuitesTLS13
	folder := filepath.Join(certificates, s.key())
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
		MinVersion:       number,
		MaxVersion:       number,
		CipherSuites:     []uint16{suite},
		CurvePreferences: groups[s.words["group"]].ids,
	}
	client, server := common.Clone(), common.Clone()
	client.RootCAs, client.ServerName = roots, "localhost"
	if server.Certificates, err = identity(folder, "server"); err != nil {
		return nil, err
	}
	if s.isMutual() {
		if client.Certificates, err = identity(folder, "client"); err != nil {
			return nil, err
		}
		server.ClientCAs, server.ClientAuth = roots, tls.RequireAndVerifyClientCert
	}
	if s.isResumed() {
		client.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	}
	return &library{client, server}, nil
}

func identity(folder, who string) ([]tls.Certificate, error) {
	path := filepath.Join(folder, who)
	certificate, err := tls.LoadX509KeyPair(path+".pem", path+".key")
	return []tls.Certificate{certificate}, err
}

// suite returns the number of the scenario's cipher suite.
func suite(s scenario) (uint16, error) {
	name := suiteName(s)
	for _, suite := range tls.CipherSuites() {
		if suite.Name == name {
			return suite.ID, nil
		}
	}
	return 0, unsupported("crypto/tls has no " + name)
}

// suiteName returns IANA's name of the scenario's cipher suite.
func suiteName(s scenario) string {
	exchange := ""
	switch {
	case s.is13():
	case strings.HasPrefix(s.key(), "rsa"):
		exchange = "ECDHE_RSA_WITH_"
	default:
		exchange = "ECDHE_ECDSA_WITH_"
	}
	hash := "_SHA256"
	switch s.cipher() {
	case "aes-256-gcm":
		hash = "_SHA384"
	case "aes-128-gcm", "chacha20-poly1305":
	default:
		hash = ""
	}
	return "TLS_" + exchange + strings.ReplaceAll(strings.ToUpper(s.cipher()), "-", "_") + hash
}

// pair creates a client and a server.
func (l *library) pair(link *link) *pair {
	link.toClient.clear()
	link.toServer.clear()
	return &pair{
		client: newEnd(&link.toClient, &link.toServer, func(c net.Conn) *tls.Conn { return tls.Client(c, l.client) }),
		server: newEnd(&link.toServer, &link.toClient, func(c net.Conn) *tls.Conn { return tls.Server(c, l.server) }),
	}
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
func (p *pair) verify(s scenario) (string, error) {
	var negotiated string
	for _, end := range []*end{p.server, p.client} {
		state := end.ConnectionState()
		version := strings.TrimPrefix(tls.VersionName(state.Version), "TLS ")
		negotiated = group(state)
		wanted := []string{s.or("version", "1.3"), suiteName(s), s.words["group"]}
		for i, got := range []string{version, tls.CipherSuiteName(state.CipherSuite), negotiated} {
			isGroup := i == 2
			if isGroup && (got == "" || !s.hasGroup() || s.words["group"] == "x25519mlkem768+x25519") {
				continue
			}
			if got != wanted[i] {
				return "", fmt.Errorf("negotiated %s instead of %s", got, wanted[i])
			}
		}
	}
	return negotiated, nil
}

const hello = "hello"

// prime makes and verifies a first connection, which leaves a session to resume in the cache. It
// returns the group.
func (l *library) prime(s scenario) (string, error) {
	pair := l.pair(&link{})
	if _, err := pair.handshake(); err != nil {
		return "", err
	}
	switch isResumed, err := pair.wasResumed(); {
	case err != nil:
		return "", err
	case isResumed:
		return "", errors.New("the first handshake resumed a session")
	}
	group, err := pair.verify(s)
	if err != nil {
		return "", err
	}
	// The client reads tickets only with the data that follows.
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

// caveat names the key exchange if the library chose it.
func caveat(s scenario, group string) string {
	if group == "" || s.hasGroup() || !s.is13() && s.isResumed() {
		return ""
	}
	return "key exchange " + group
}
