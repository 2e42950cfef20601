package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// usage is how much of the processors was used, in ticks of the system.
type usage struct{ server, database, driver float64 }

func (u usage) minus(v usage) usage {
	return usage{u.server - v.server, u.database - v.database, u.driver - v.driver}
}

// shares returns the parts of the whole, in percent.
func (u usage) shares() (server, database, driver float64) {
	whole := (u.server + u.database + u.driver) / 100
	if whole == 0 {
		return 0, 0, 0
	}
	return u.server / whole, u.database / whole, u.driver / whole
}

// use reads what the server, all processes of PostgreSQL and this one have used.
// Only Linux tells; elsewhere it is nothing.
func use(server *process) usage {
	u := usage{server: ticks(server.cmd.Process.Pid), driver: ticks(os.Getpid())}
	names, _ := filepath.Glob("/proc/[0-9]*/comm") // the pattern is well-formed
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil && strings.TrimSpace(string(text)) == "postgres" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))) // the pattern has digits alone
			u.database += ticks(pid)
		}
	}
	return u
}

// ticks returns user and system time of a process, 0 when it is not there.
func ticks(pid int) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	// The second field is the name, in parentheses; the 14th and 15th are the times.
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return user + system
}

// resident returns the memory that a process holds, in MiB.
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

// gone tells whether a child of this process has ended.
func gone(pid int) bool {
	var status syscall.WaitStatus
	ended, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
	return err != nil || ended == pid
}
