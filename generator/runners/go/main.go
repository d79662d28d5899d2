// Measures crypto/tls, with the command line and the rows of the runners in Rust: ../README.md
// describes both.
package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

const usage = `usage: runner-go --certificates DIR [--multiplier X] [--run N] [--latencies DIR] [--counts] [--no-heading] [SCENARIO…]
       runner-go --about

Measures each scenario, and prints tidy CSV. Without scenarios, reads them from standard input,
one per line; empty lines and lines that start with # are skipped.

  --certificates DIR   a folder written by ` + "`certificates`" + `
  --multiplier X       scale the work of each scenario (default: 1)
  --run N              the number of this run, from 1 (default: 1)
  --latencies DIR      write the time of each handshake of ` + "`latency of …`" + ` to new files in DIR
  --counts             print that counts are unsupported
  --no-heading         print rows only
  --about              print name,version,variant,released and exit
`

// The day on which the release was built, set by the linker.
var released string

type options struct {
	certificates string
	multiplier   float64
	run          int
	latencies    string
	heading      bool
	counts       bool
	about        bool
	scenarios    []string
}

func main() {
	options, err := parseOptions(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v\n\n%s", err, usage)
		os.Exit(2)
	}
	// The defaults, whatever is set in the environment.
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
	if err := options.measure(); err != nil {
		fmt.Fprintf(os.Stderr, "Go: %v\n", err)
		os.Exit(1)
	}
}

func parseOptions(args []string) (*options, error) {
	o := &options{multiplier: 1, run: 1, heading: true}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		value := ""
		switch arg {
		case "--certificates", "--multiplier", "--run", "--latencies":
			if len(args) == 0 {
				return nil, fmt.Errorf("%s needs a value", arg)
			}
			value, args = args[0], args[1:]
		}
		var err error
		switch arg {
		case "--certificates":
			o.certificates = value
		case "--multiplier":
			o.multiplier, err = strconv.ParseFloat(value, 64)
			if err != nil || !(o.multiplier > 0 && o.multiplier < 1e9) {
				return nil, fmt.Errorf("a multiplier is a positive number, not `%s`", value)
			}
		case "--run":
			if o.run, err = strconv.Atoi(value); err != nil {
				return nil, fmt.Errorf("--run: %w", err)
			}
		case "--latencies":
			o.latencies = value
		case "--counts":
			o.counts = true
		case "--no-heading":
			o.heading = false
		case "--about":
			o.about = true
		default:
			if strings.HasPrefix(arg, "-") {
				return nil, fmt.Errorf("unknown option %s", arg)
			}
			o.scenarios = append(o.scenarios, arg)
		}
	}
	if o.certificates == "" && !o.about {
		return nil, fmt.Errorf("--certificates DIR is required")
	}
	return o, nil
}

func (o *options) measure() error {
	if o.about {
		_, err := fmt.Printf("%s,%s,,%s\n", name, version(), released)
		return err
	}
	labels := o.scenarios
	if len(labels) == 0 {
		var err error
		if labels, err = listed(os.Stdin); err != nil {
			return err
		}
	}
	var scenarios []scenario
	for _, label := range labels {
		s, err := parseScenario(label)
		if err != nil {
			return err
		}
		scenarios = append(scenarios, s)
	}
	if o.heading {
		if err := writeRow(columns); err != nil {
			return err
		}
	}
	for _, s := range scenarios {
		// The peak covers everything that the process did before.
		isAlone := len(scenarios) == 1
		var err error
		if s.workload == "memory" && !isAlone {
			err = o.inOwnProcess(s)
		} else {
			err = o.one(s)
		}
		if err != nil {
			return fmt.Errorf("`%s`: %w", s.label(), err)
		}
	}
	return nil
}

func (o *options) one(s scenario) error {
	// Other libraries use as many threads as the scenario has. So the garbage collector gets no
	// extra processors, and its work is included in the figures.
	runtime.GOMAXPROCS(s.threads())
	figures, err := measure(s, o)
	if err != nil {
		return err
	}
	for _, figure := range figures {
		if err := writeRow(figure.row(o.run)); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) inOwnProcess(s scenario) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(program, "--certificates", o.certificates, "--run", strconv.Itoa(o.run), "--no-heading", s.label())
	command.Stderr = os.Stderr
	printed, err := command.Output()
	if _, e := os.Stdout.Write(printed); e != nil {
		return e
	}
	return err
}

func listed(input io.Reader) ([]string, error) {
	var labels []string
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line != "" && !strings.HasPrefix(line, "#") {
			labels = append(labels, line)
		}
	}
	if len(labels) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("no scenario on standard input")
	}
	return labels, lines.Err()
}
