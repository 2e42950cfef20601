package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// usage contains processor times in clock ticks.
type usage struct{ server, database, driver float64 }

func (u usage) minus(v usage) usage {
	return usage{u.server - v.server, u.database - v.database, u.driver - v.driver}
}

// shares returns the share of each time in the total, in percent.
func (u usage) shares() (server, database, driver float64) {
	whole := (u.server + u.database + u.driver) / 100
	if whole == 0 {
		return 0, 0, 0
	}
	return u.server / whole, u.database / whole, u.driver / whole
}

// readUsage returns the usage of the server, of all PostgreSQL processes and of this process. It
// works only on Linux and returns zero elsewhere.
func readUsage(server *process) usage {
	u := usage{server: ticks(server.cmd.Process.Pid), driver: ticks(os.Getpid())}
	names, _ := filepath.Glob("/proc/[0-9]*/comm") // the pattern is valid
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil && strings.TrimSpace(string(text)) == "postgres" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))) // the name consists of digits
			u.database += ticks(pid)
		}
	}
	return u
}

// ticks returns the sum of the user and system time of a process, or 0 if the process does not
// exist.
func ticks(pid int) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	// The second field is the name in parentheses. Fields 14 and 15 are the times.
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return user + system
}

// resident returns the resident memory of a process, in MiB.
func resident(pid int) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseFloat(fields[1], 64)
	return pages * float64(os.Getpagesize()) / (1 << 20)
}

// hasExited reports whether a child of this process has exited.
func hasExited(pid int) bool {
	var status syscall.WaitStatus
	ended, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
	return err != nil || ended == pid
}
