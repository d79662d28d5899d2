//go:build !go1.25

package main

import "crypto/tls"

// Before Go 1.25 connections do not report it.
func group(tls.ConnectionState) string { return "" }
