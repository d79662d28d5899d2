//go:build go1.25

package main

import (
	"crypto/tls"
	"fmt"
)

// group is the key exchange of a connection, in the word of labels if there is one.
func group(state tls.ConnectionState) string {
	if state.CurveID == 0 {
		return ""
	}
	for name, group := range groups {
		if len(group.ids) == 1 && group.ids[0] == state.CurveID {
			return name
		}
	}
	return fmt.Sprint(state.CurveID)
}
