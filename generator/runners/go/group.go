//go:build go1.25

package main

import (
	"crypto/tls"
	"fmt"
)

// group returns the key exchange of a connection, named as in labels if they have a name for it.
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
