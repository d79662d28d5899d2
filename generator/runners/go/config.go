package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
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
	"x25519mlkem768":        {[]tls.CurveID{4588}, 24},
	"x25519mlkem768+x25519": {[]tls.CurveID{4588, tls.X25519}, 24},
}

// The first minor release of Go 1 with ML-DSA certificates.
const mlDsaSince = 27

func version() string { return strings.TrimPrefix(runtime.Version(), "go") }

func minor() int {
	parts := strings.Split(version(), ".")
	// 0 of a development version.
	number, _ := strconv.Atoi(parts[min(1, len(parts)-1)])
	return number
}

// check fails if the release or the TLS version lacks a feature of the scenario.
func (s *scenario) check() error {
	since := groups[s.group].since
	switch {
	case s.method == "vectored":
		return unsupported("crypto/tls has no vectored write")
	case s.resumption == "session id":
		return unsupported("crypto/tls resumes sessions by ticket only")
	case since > 0 && !s.is13():
		return unsupported("TLS 1.2 has no post-quantum key exchange")
	case minor() < since:
		return unsupported(fmt.Sprintf("Go has no key exchange %s before 1.%d", s.group, since))
	case strings.HasPrefix(s.key, "ml-dsa") && minor() < mlDsaSince:
		return unsupported(fmt.Sprintf("Go has no ML-DSA before 1.%d", mlDsaSince))
	}
	return nil
}

// library is crypto/tls, configured for one scenario on both sides.
type library struct {
	scenario
	client, server *tls.Config
	tickets        *tickets
}

// tickets keeps those that clients read, and counts them.
type tickets struct {
	tls.ClientSessionCache
	read atomic.Int64
}

func (t *tickets) Put(key string, session *tls.ClientSessionState) {
	if session != nil {
		t.read.Add(1)
	}
	t.ClientSessionCache.Put(key, session)
}

func configure(s scenario, certificates string) (*library, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	suite, err := suite(s.suite)
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
	version := uint16(tls.VersionTLS13)
	if !s.is13() {
		version = tls.VersionTLS12
	}
	client := &tls.Config{
		MinVersion:             version,
		MaxVersion:             version,
		CipherSuites:           []uint16{suite},
		CurvePreferences:       groups[s.group].ids,
		SessionTicketsDisabled: s.resumption == "",
		// Records of 16 KiB from the first on, as in other libraries.
		DynamicRecordSizingDisabled: true,
	}
	server := client.Clone()
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
	cache := &tickets{ClientSessionCache: tls.NewLRUClientSessionCache(0)}
	client.ClientSessionCache = cache
	return &library{s, client, server, cache}, nil
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
