package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

var columns = []string{"run", "implementation", "version", "variant", "scenario", "unit", "value", "caveat"}

// figure is a number, or a caveat that says why the scenario is unsupported.
type figure struct {
	scenario    scenario
	unit        string
	value       float64
	caveat      string
	unsupported bool
}

// measure returns the figures of a scenario. An unsupported one is not an error.
func measure(s scenario, o *options) ([]figure, error) {
	if o.counts {
		return uncounted(s), nil
	}
	var found result
	library, err := configure(s, o.certificates)
	if err == nil {
		found, err = library.run(s, o)
	}
	var why unsupported
	isUnsupported := errors.As(err, &why)
	if err != nil && !isUnsupported {
		return nil, err
	}
	var figures []figure
	for i, figure := range outline(s) {
		if isUnsupported {
			figure.unsupported, figure.caveat = true, string(why)
		} else {
			figure.value, figure.caveat = found.values[i], found.caveat
		}
		if side := s.words["side"]; side == "" || side == figure.scenario.words["side"] {
			figures = append(figures, figure)
		}
	}
	return figures, nil
}

// uncounted returns unsupported rows for all counts: the garbage collector runs at arbitrary times,
// so counts per handshake would not be deterministic.
func uncounted(s scenario) (all []figure) {
	units := []string{"instructions", "allocations", "bytes allocated", "bytes on the wire", "records", "calls", "flights"}
	var sides []scenario
	switch s.workload {
	case "full handshakes", "resumed handshakes":
		sides = []scenario{s.with("side", "client"), s.with("side", "server")}
	case "transfer":
		sides = []scenario{s.with("side", "sending"), s.with("side", "receiving")}
	default:
		sides = []scenario{s}
	}
	if s.workload != "full handshakes" && s.workload != "resumed handshakes" {
		units = units[:6]
	}
	for _, side := range sides {
		for _, unit := range units {
			why := "this program measures times only"
			all = append(all, figure{scenario: side, unit: unit, caveat: why, unsupported: true})
		}
	}
	return all
}

// outline returns the figures of a scenario without values.
func outline(s scenario) []figure {
	on := func(unit string, sides ...string) (all []figure) {
		for _, side := range sides {
			all = append(all, figure{scenario: s.with("side", side), unit: unit})
		}
		return all
	}
	points := func(s scenario) (all []figure) {
		for _, p := range percentilePoints {
			all = append(all, figure{scenario: s.with("percentile", p.word), unit: "ns"})
		}
		return all
	}
	wire := figure{scenario: s, unit: "bytes on the wire"}
	switch s.workload {
	case "transfer":
		return on("MiB/s", "sending", "receiving")
	case "memory":
		return []figure{{scenario: s, unit: "KiB"}}
	case "writes":
		return append(points(s), wire)
	case "client hello":
		return []figure{{scenario: s, unit: "ops/s"}, wire}
	case "full handshakes", "resumed handshakes":
		return on("handshakes/s", bothSides...)
	}
	return append(points(s.with("side", "client")), points(s.with("side", "server"))...)
}

// row returns the cells of tidy CSV.
func (f figure) row(run int) []string {
	value := "unsupported"
	if !f.unsupported {
		value = decimal(f.value)
	}
	return []string{strconv.Itoa(run), name, version(), "", f.scenario.label(), f.unit, value, f.caveat}
}

// writeRow writes and flushes a row: a figure that took a minute must not be lost in a buffer.
func writeRow(cells []string) error {
	out := csv.NewWriter(os.Stdout)
	if err := out.Write(cells); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// decimal formats a value with at most 14 significant digits and without exponent.
func decimal(value float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'e', 13, 64), 64)
	if err != nil {
		rounded = value
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Percentiles in thousandths.
var percentilePoints = []struct {
	word       string
	thousandth int
}{{"min", 0}, {"P50", 500}, {"P90", 900}, {"P99", 990}, {"P99.9", 999}, {"max", 1000}}

// percentiles sorts the samples, and returns each percentile by nearest rank, in nanoseconds.
func percentiles(samples []time.Duration) (values []float64) {
	sort.Slice(samples, func(i, j int) bool { return samples[i] < samples[j] })
	for _, p := range percentilePoints {
		rank := (p.thousandth*len(samples) + 999) / 1000
		values = append(values, float64(samples[max(rank, 1)-1].Nanoseconds()))
	}
	return values
}

// writeLatencies writes the time of each handshake as rustls-bench does: the time of day in seconds,
// a tab, and microseconds. Files must be new, because names do not include all of a scenario.
func writeLatencies(folder string, s scenario, threads [][]handshake) error {
	workload := "fullhs"
	if s.isResumed() {
		workload = "resume"
	}
	version := strings.ReplaceAll(s.or("version", "1.3"), ".", "")
	for _, side := range bothSides {
		if only := s.words["side"]; only != "" && only != side {
			continue
		}
		for number, handshakes := range threads {
			name := fmt.Sprintf("%s-tls%s-%s-%d-latency.tsv", workload, version, side, number)
			file, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(file)
			for _, one := range handshakes {
				time := one.of(side)
				fmt.Fprintf(out, "%d.%09d\t%d.%03d\n", one.at.Unix(), one.at.Nanosecond(), time.Microseconds(), time.Nanoseconds()%1000)
			}
			if err := errors.Join(out.Flush(), file.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}
