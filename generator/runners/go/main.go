// Measures crypto/tls, with the commands of the runners in Rust, which ../README.md describes. The fields
// of a scenario are flags.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// The day on which the release was built, set by the linker.
var released string

func main() {
	certificates := flag.String("certificates", "", "generator/certificates, with a folder for each type of key")
	counts := flag.Bool("counts", false, "say that counts are unsupported")
	about := flag.Bool("about", false, "print name,version,variant,released and exit")
	var s scenario
	s.flags()
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, "usage: runner-go --certificates DIR [--counts] [FIELD…] SCENARIO\n       runner-go --about\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	switch {
	case *about:
		fmt.Printf("%s,%s,,%s\n", name, version(), released)
		return
	case *certificates == "" || flag.NArg() != 1:
		flag.Usage()
		os.Exit(2)
	}
	// The defaults, whatever is set in the environment.
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
	s.workload, _, _ = strings.Cut(flag.Arg(0), ", ")
	if err := serve(s, *certificates, *counts); err != nil {
		fmt.Fprintf(os.Stderr, "%s: `%s`: %v\n", name, flag.Arg(0), err)
		os.Exit(1)
	}
}

// serve answers commands on standard input until `end`, or its end.
func serve(s scenario, certificates string, counts bool) error {
	// Other libraries use as many threads as the scenario has. So the garbage collector gets no
	// extra processors, and its work is included in the figures.
	runtime.GOMAXPROCS(s.threads)
	calibrate()
	var lanes lanes
	var err error
	if lanes.monitor, err = findMonitor(); err != nil {
		return fmt.Errorf("cannot find the runtime's threads: %w", err)
	}
	facts := ""
	library, err := configure(s, certificates)
	if err == nil && counts {
		// The garbage collector runs at arbitrary times, so counts would not be deterministic.
		err = unsupported("this program measures times only")
	}
	if err == nil && s.workload != "memory" {
		facts, lanes.once, err = library.open()
	}
	var why unsupported
	if errors.As(err, &why) {
		fmt.Println("unsupported", why)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Println("ready" + facts)
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() && input.Text() != "end" {
		command, argument, _ := strings.Cut(input.Text(), " ")
		n, _ := strconv.Atoi(argument)
		var answer string
		switch {
		case command == "slice" && n > 0 && lanes.once != nil:
			answer, err = lanes.slice(s, n)
		case command == "peak" && lanes.once == nil:
			answer, err = library.peak()
		default:
			err = fmt.Errorf("unknown command `%s`", input.Text())
		}
		if err != nil {
			return err
		}
		fmt.Println(answer)
	}
	return input.Err()
}
