//go:build !go1.25

package main

import "crypto/tls"

// Before Go 1.25 a connection does not tell.
func group(tls.ConnectionState) string { return "" }
