// Measures crypto/tls, with the commands of the runners in Rust, which ../README.md describes.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// The day on which the release was built, set by the linker.
var released string

// scenario has the fields of a label, by name. The generator, which has the grammar of labels, passes
// them as arguments.
type scenario map[string]string

// number returns a field that is a number, or 0.
func (s scenario) number(field string) int {
	number, _ := strconv.Atoi(s[field])
	return number
}

func (s scenario) is13() bool    { return s["version"] == "1.3" }
func (s scenario) resumes() bool { return s["resumption"] != "" }

// unsupported is the reason why crypto/tls cannot do a scenario. A row states it, and the run
// continues.
type unsupported string

func (u unsupported) Error() string { return string(u) }

func main() {
	last := len(os.Args) - 1
	if os.Args[last] == "--about" {
		fmt.Printf("Go,%s,,%s\n", version(), released)
		return
	}
	if last < 3 || os.Args[1] != "--certificates" {
		fmt.Fprintln(os.Stderr, "usage: runner-go --certificates DIR [FIELD=VALUE…] [--counts] SCENARIO\n       runner-go --about")
		os.Exit(2)
	}
	s := scenario{}
	for _, argument := range os.Args[3:last] {
		field, value, _ := strings.Cut(argument, "=")
		s[field] = value
	}
	s["workload"], _, _ = strings.Cut(os.Args[last], ", ")
	// The defaults, whatever is set in the environment.
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
	// Other libraries use as many threads as the scenario has. So the garbage collector gets no
	// extra processors, and its work is included in the figures.
	runtime.GOMAXPROCS(s.number("threads"))
	err := serve(s, os.Args[2])
	var why unsupported
	switch {
	case errors.As(err, &why):
		fmt.Println("unsupported", why)
	case err != nil:
		fmt.Fprintf(os.Stderr, "Go: `%s`: %v\n", os.Args[last], err)
		os.Exit(1)
	}
}

// serve answers commands on standard input until `end`, or its end.
func serve(s scenario, certificates string) error {
	calibrate()
	library, err := configure(s, certificates)
	if err != nil {
		return err
	}
	facts, timer := "", slices{sides: 2, isSingle: strings.HasPrefix(s["workload"], "latency")}
	switch s["workload"] {
	case "writes":
		timer.sides, timer.isSingle = 1, true
	case "client hello":
		timer.sides = 1
	}
	if s["workload"] != "memory" {
		if facts, timer.operations, err = library.open(); err != nil {
			return err
		}
	}
	fmt.Println("ready" + facts)
	for {
		line, err := read()
		if err != nil || line == "" || line == "end" {
			return err
		}
		command, argument, _ := strings.Cut(line, " ")
		n, _ := strconv.Atoi(argument)
		var answer string
		switch {
		case command == "slice" && n > 0 && timer.operations != nil:
			answer, err = timer.slice(n)
		case command == "peak" && timer.operations == nil:
			answer, err = library.peak()
		default:
			err = fmt.Errorf("unknown command `%s`", line)
		}
		if err != nil {
			return err
		}
		fmt.Println(answer)
	}
}

// read returns a line of standard input, empty at its end. It waits in system calls of which the runtime
// does not know: after others its monitoring thread wakes up every 20 µs, on the processor that is
// measured, as docs/measurements.md shows.
func read() (string, error) {
	var line []byte
	for {
		var next [1]byte
		n, _, err := syscall.RawSyscall(syscall.SYS_READ, 0, uintptr(unsafe.Pointer(&next)), 1)
		switch {
		case err == syscall.EINTR:
		case err != 0:
			return "", err
		case n == 0 || next[0] == '\n':
			return string(line), nil
		default:
			line = append(line, next[0])
		}
	}
}
