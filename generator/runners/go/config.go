package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	_ "unsafe" // for linkname
)

// crypto/tls has no setting for TLS 1.3 suites. So both lists are set to the measured suite, as QUIC
// implementations do, for which Go keeps these names (go.dev/issue/67401).
//
//go:linkname defaultCipherSuitesTLS13 crypto/tls.defaultCipherSuitesTLS13
var defaultCipherSuitesTLS13 []uint16

//go:linkname defaultCipherSuitesTLS13NoAES crypto/tls.defaultCipherSuitesTLS13NoAES
var defaultCipherSuitesTLS13NoAES []uint16

// groups has the numbers of key exchanges in IANA's registry.
var groups = map[string][]tls.CurveID{
	"x25519":                {tls.X25519},
	"x25519mlkem768":        {4588},
	"x25519mlkem768+x25519": {4588, tls.X25519},
}

func version() string { return strings.TrimPrefix(runtime.Version(), "go") }

// check fails if the release or the TLS version lacks a feature of the scenario.
func (s scenario) check() error {
	var minor int
	if _, err := fmt.Sscanf(version(), "1.%d", &minor); err != nil {
		return err
	}
	_, isCounting := s["--counts"]
	isHybrid := strings.Contains(s["group"], "mlkem")
	switch {
	case isCounting:
		// The garbage collector runs at arbitrary times, so counts would not be deterministic.
		return unsupported("this program measures times only")
	case s["method"] == "vectored":
		return unsupported("crypto/tls has no vectored write")
	case s["resumption"] == "session id":
		return unsupported("crypto/tls resumes sessions by ticket only")
	case isHybrid && !s.is13():
		return unsupported("TLS 1.2 has no post-quantum key exchange")
	case isHybrid && minor < 24:
		return unsupported("Go has no key exchange with ML-KEM before 1.24")
	case strings.HasPrefix(s["key"], "ml-dsa") && minor < 27:
		return unsupported("Go has no ML-DSA before 1.27")
	}
	return nil
}

// library is crypto/tls, configured for one scenario on both sides.
type library struct {
	scenario
	client, server *tls.Config
}

func configure(s scenario, certificates string) (*library, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	suite := uint16(0)
	for _, has := range tls.CipherSuites() {
		if has.Name == s["suite"] {
			suite = has.ID
		}
	}
	if suite == 0 {
		return nil, unsupported("crypto/tls has no " + s["suite"])
	}
	defaultCipherSuitesTLS13 = []uint16{suite}
	defaultCipherSuitesTLS13NoAES = defaultCipherSuitesTLS13
	folder := filepath.Join(certificates, s["key"])
	pem, err := os.ReadFile(filepath.Join(folder, "root.pem"))
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.Join(err, errors.New("no certificate in root.pem"))
	}
	version := uint16(tls.VersionTLS12)
	if s.is13() {
		version = tls.VersionTLS13
	}
	client := &tls.Config{
		MinVersion:             version,
		MaxVersion:             version,
		CipherSuites:           []uint16{suite},
		CurvePreferences:       groups[s["group"]],
		SessionTicketsDisabled: !s.resumes(),
		ClientSessionCache:     tls.NewLRUClientSessionCache(0),
		// Records of 16 KiB from the first on, as in other libraries.
		DynamicRecordSizingDisabled: true,
	}
	server := client.Clone()
	client.RootCAs, client.ServerName = roots, "localhost"
	if server.Certificates, err = identity(folder, "server"); err != nil {
		return nil, err
	}
	if s["mutual"] == "true" {
		if client.Certificates, err = identity(folder, "client"); err != nil {
			return nil, err
		}
		server.ClientCAs, server.ClientAuth = roots, tls.RequireAndVerifyClientCert
	}
	return &library{s, client, server}, nil
}

func identity(folder, who string) ([]tls.Certificate, error) {
	path := filepath.Join(folder, who)
	certificate, err := tls.LoadX509KeyPair(path+".pem", path+".key")
	return []tls.Certificate{certificate}, err
}
