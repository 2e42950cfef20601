package program

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Usage contains processor times in clock ticks.
type Usage struct {
	Server, Database, Driver float64
	Commands                 float64 // time of ended child processes of the driver
}

// TicksPerSecond is the number of clock ticks in a second. It is the same on all architectures of
// Linux that Go supports.
const TicksPerSecond = 100

// Minus returns the differences of the times.
func (u Usage) Minus(v Usage) Usage {
	return Usage{u.Server - v.Server, u.Database - v.Database, u.Driver - v.Driver, u.Commands - v.Commands}
}

// Shares returns the share of each time in the total without Commands, in percent.
func (u Usage) Shares() (server, database, driver float64) {
	whole := (u.Server + u.Database + u.Driver) / 100
	if whole == 0 {
		return 0, 0, 0
	}
	return u.Server / whole, u.Database / whole, u.Driver / whole
}

// UsageNow returns the usage of a server, of the processes of PostgreSQL and of this process, the
// driver. It works only on Linux and returns zero elsewhere. postmaster may be 0.
func UsageNow(server *Process, postmaster int) Usage {
	own := os.Getpid()
	u := Usage{Server: ticks(server.PID()), Driver: ticks(own), Commands: endedTicks(own)}
	if postmaster > 0 {
		u.Database = treeTicks(postmaster)
	}
	return u
}

// treeTicks returns the sum of the times of all children of a process, including those that have
// ended.
func treeTicks(pid int) float64 {
	for {
		ended, alive := endedTicks(pid), 0.0
		names, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
		for _, name := range names {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))) // the name consists of digits
			if parent(child) == pid {
				alive += ticks(child)
			}
		}
		// A child that ended during the loop may be counted twice or not at all.
		if endedTicks(pid) == ended {
			return ended + alive
		}
	}
}

// FindPostmaster returns the process ID of the PostgreSQL server of a database, or 0 if it runs on
// another machine.
func FindPostmaster(ctx context.Context, dsn string) (int, error) {
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
func ticks(pid int) float64 { return sumOf(pid, 11, 12) }

// endedTicks returns the sum of the times of the children of a process that have ended.
func endedTicks(pid int) float64 { return sumOf(pid, 13, 14) }

// sumOf returns the sum of two fields of stat, or 0 if the process does not exist.
func sumOf(pid, first, second int) float64 {
	fields := stat(pid)
	if len(fields) <= second {
		return 0
	}
	a, _ := strconv.ParseFloat(fields[first], 64)
	b, _ := strconv.ParseFloat(fields[second], 64)
	return a + b
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

// Resident returns the resident memory of a process, in MiB.
func Resident(pid int) float64 {
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
