package main

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

// monitor is the thread on which the Go runtime watches the others. After each wait of the program it wakes
// up every 20 µs for some milliseconds, and less and less often after that. On a machine it does so on a
// processor that is idle, so here too it keeps off those that are measured: see docs/measurements.md.
type monitor struct {
	id      int
	allowed processors
}

// processors is the kernel's set of them, of any size that it has.
type processors [128]uint64

// findMonitor finds the first thread that the runtime starts.
func findMonitor() (monitor, error) {
	var m monitor
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return m, err
	}
	var ids []int
	for _, task := range tasks {
		id, err := strconv.Atoi(task.Name())
		if err != nil {
			return m, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) < 2 {
		return m, errors.New("the runtime has one thread")
	}
	m.id = ids[1]
	return m, m.allowed.call(syscall.SYS_SCHED_GETAFFINITY, 0)
}

// keepOff moves the monitor to processors that the calling thread may not use, if there are any.
func (m *monitor) keepOff() error {
	var used processors
	if err := used.call(syscall.SYS_SCHED_GETAFFINITY, 0); err != nil {
		return err
	}
	rest, isEmpty := m.allowed, true
	for i := range rest {
		rest[i] &^= used[i]
		isEmpty = isEmpty && rest[i] == 0
	}
	if isEmpty {
		return nil
	}
	return rest.call(syscall.SYS_SCHED_SETAFFINITY, m.id)
}

func (p *processors) call(number uintptr, thread int) error {
	_, _, err := syscall.RawSyscall(number, uintptr(thread), unsafe.Sizeof(*p), uintptr(unsafe.Pointer(p)))
	if err != 0 {
		return err
	}
	return nil
}
