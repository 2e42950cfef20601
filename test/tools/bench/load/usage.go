package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lyceum/test/tools/bench/program"
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

// usage returns the usage of the server, of the processes of PostgreSQL and of this process. It
// works only on Linux and returns zero elsewhere.
func (d driver) usage(server *program.Process) usage {
	u := usage{server: ticks(server.PID()), driver: ticks(os.Getpid())}
	if d.postmaster == 0 {
		return u
	}
	names, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, name := range names {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))) // the name consists of digits
		if parent(pid) == d.postmaster {
			u.database += ticks(pid)
		}
	}
	return u
}

// findPostmaster returns the process ID of the PostgreSQL server of a database, or 0 if it runs on
// another machine.
func findPostmaster(ctx context.Context, dsn string) (int, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }()
	var backend int
	if err := db.QueryRowContext(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return 0, err
	}
	return parent(backend), nil
}

// parent returns the process ID of the parent of a process, or 0 if the process does not exist.
func parent(pid int) int {
	fields := stat(pid)
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.Atoi(fields[1])
	return id
}

// ticks returns the sum of the user and system time of a process, or 0 if the process does not
// exist.
func ticks(pid int) float64 {
	fields := stat(pid)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return user + system
}

// stat returns the fields of /proc/<pid>/stat from the third, the state; or nil if the process does
// not exist.
func stat(pid int) []string {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the second field is the name in parentheses
	return strings.Fields(rest)
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
