// Uses the runner's packages except crypto/tls, as a baseline for its size: the difference is the
// library. Its output has no meaning.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	flag.Parse()
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(100)
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	samples := []metrics.Sample{{Name: flag.Arg(0)}}
	metrics.Read(samples)
	var group sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	var words []string
	for lines.Scan() {
		words = append(words, strings.Join(os.Args, lines.Text()))
	}
	group.Wait()
	number, e := strconv.ParseFloat(filepath.Base(os.Args[0]), 64)
	text, _ := os.ReadFile(os.Args[0])
	fmt.Println(bytes.NewBuffer(text), reflect.ValueOf(usage).FieldByName(flag.Arg(0)), words, text, math.Abs(number), errors.Join(err, e), usage, samples, time.Since(time.Now()))
}
