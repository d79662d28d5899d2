package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Nothing takes no time: what measuring takes is subtracted.
func TestClock(t *testing.T) {
	runtime.GOMAXPROCS(1)
	calibrate()
	var total time.Duration
	for i := 0; i < 1000; i++ {
		timed(&total, func() {})
	}
	if clockTime <= 0 || turnTime <= clockTime || total > 1000*clockTime {
		t.Errorf("clock %v, turn %v, 1000 times nothing %v", clockTime, turnTime, total)
	}
	t.Logf("clock %v, turn %v", clockTime, turnTime)
}

func TestLabels(t *testing.T) {
	label := "latency of resumed handshakes, 1.2, chacha20-poly1305, ml-dsa-44, x25519mlkem768+x25519, session id, mutual, 1024-byte writes, 4096-byte fragments, 2 threads"
	got, err := parseScenario(label)
	wanted := scenario{"latency of resumed handshakes", "1.2", "chacha20-poly1305", "ml-dsa-44", "x25519mlkem768+x25519",
		"session id", "", true, 0, 1024, 4096, 2, nil}
	if err != nil || !reflect.DeepEqual(got, wanted) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = parseScenario("writes, [100, 50] * 2, write each")
	if err != nil || !reflect.DeepEqual(got.buffers, []int{100, 50, 100, 50}) || got.method != "write each" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := parseScenario("full handshakes, 1.3, rsa, warp"); err == nil {
		t.Error("`warp` is no error")
	}
}

// tickets counts those that a client reads.
type tickets struct {
	tls.ClientSessionCache
	read int
}

func (t *tickets) Put(key string, session *tls.ClientSessionState) {
	if session != nil {
		t.read++
	}
	t.ClientSessionCache.Put(key, session)
}

// certificates returns a folder with a new key and its certificate, which is its own root.
func certificates(t *testing.T) string {
	folder := t.TempDir()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "rsa"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"root.pem":   {Type: "CERTIFICATE", Bytes: certificate},
		"server.pem": {Type: "CERTIFICATE", Bytes: certificate},
		"server.key": {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)},
	} {
		if err := os.WriteFile(filepath.Join(folder, "rsa", name), pem.EncodeToMemory(block), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A handshake has a ticket only if it is resumed in TLS 1.3, and the client reads it in its turn.
func TestTickets(t *testing.T) {
	folder := certificates(t)
	for label, wanted := range map[string]int{
		"full handshakes, 1.3, rsa":            0,
		"full handshakes, 1.2, rsa":            0,
		"resumed handshakes, 1.3, ticket, rsa": 1,
	} {
		s, err := parseScenario(label)
		if err != nil {
			t.Fatal(err)
		}
		library, err := configure(s, folder)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := library.prime(); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		counted := &tickets{ClientSessionCache: library.client.ClientSessionCache}
		if counted.ClientSessionCache == nil {
			counted.ClientSessionCache = tls.NewLRUClientSessionCache(1)
		}
		library.client.ClientSessionCache = counted
		link := &link{}
		if _, _, err := library.connect(link); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		if counted.read != wanted || link.toClient.unread() != 0 {
			t.Errorf("%s: %d tickets, %d bytes unread", label, counted.read, link.toClient.unread())
		}
	}
}

// Slices are answered with the five numbers, and single times where they are asked for.
func TestSlices(t *testing.T) {
	for workload, wanted := range map[string]int{"full handshakes": 5, "latency of full handshakes": 5 + 2*2*3, "writes": 5 + 2*3} {
		once := func() (sides, error) { return sides{3 * time.Microsecond, time.Microsecond}, nil }
		answer, err := (&lanes{once: []operation{once, once}}).slice(scenario{workload: workload}, 3)
		if fields := strings.Fields(answer); err != nil || len(fields) != wanted {
			t.Errorf("%s: %s, %v", workload, answer, err)
		}
	}
}

// What a slice has no time for is added to the next ones.
func TestDue(t *testing.T) {
	l := lanes{owed: -250}
	var all []time.Duration
	for len(all) < 4 {
		all = append(all, l.due(-100))
		l.garbage = garbage{} // nothing is collected
	}
	if want := []time.Duration{-100, -100, -50, 0}; !reflect.DeepEqual(all, want) {
		t.Errorf("%v instead of %v", all, want)
	}
}
