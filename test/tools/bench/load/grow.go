package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lyceum/adapters/demo"
	"lyceum/test/kit/pgtest"
	"lyceum/test/tools/bench/program"
)

// growthSchool is a school of a growth measurement with its results.
type growthSchool struct {
	*school
	rows  int
	found map[string]time.Duration // median response times by name of the list
}

// ofRows returns the size of a school with the given number of events and with rows people,
// enrollments, memberships and answers.
func ofRows(rows, events int) demo.Size {
	return demo.Size{
		People: rows, Courses: max(50, rows/50), Categories: 20, Coupons: 20, Groups: max(20, rows/20), Enrollments: rows,
		Memberships: rows, Answers: rows, Events: events, Seed: 7,
	}
}

// growth sends the same requests to three schools in one database, each ten times the size of the
// previous one. It then reads the event feed of the largest school to its end. The largest school
// has ten times as many events as people.
func growth(ctx context.Context, o options, largest int) (err error) {
	dir, err := os.MkdirTemp("", "lyceum-growth-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	programs, err := build(ctx, dir, o.built)
	if err != nil {
		return err
	}
	dsn, done := o.database, func() {}
	if dsn == "" {
		if dsn, done, err = pgtest.Durable(ctx, o.keep); err != nil {
			return err
		}
	}
	defer done()
	all, err := growing(ctx, programs, dsn, largest)
	if err != nil {
		return err
	}
	server, err := program.Start(ctx, programs.lyceum, append(all[0].settings(),
		"LYCEUM_FILES_DIR="+filepath.Join(dir, "files")), filepath.Join(dir, "log"), "serve", "--addr")
	if err != nil {
		return err
	}
	defer server.Stop()
	for _, s := range all {
		if err := s.ask(o, server); err != nil {
			return err
		}
	}
	last := all[len(all)-1]
	walk, err := follow(ctx, server, last.key)
	if err != nil {
		return err
	}
	return o.publish("bench-growth", growthTable(all, walk), growthPlot(all))
}

// growing returns the three schools, after creating the missing schools.
func growing(ctx context.Context, p programs, dsn string, largest int) ([]growthSchool, error) {
	var all []growthSchool
	for _, rows := range []int{largest / 100, largest / 10, largest} {
		events := rows
		if rows == largest {
			events *= 10
		}
		s := &school{dsn: dsn, size: ofRows(rows, events)}
		if len(all) == 0 {
			if _, err := s.command(ctx, p, "migrate"); err != nil {
				return nil, err
			}
		}
		name := fmt.Sprintf("Grown to %d", rows)
		err := s.find(ctx, name)
		if err == nil && s.id == "" {
			s.id, err = s.add(ctx, p, name, s.size)
		}
		if err == nil {
			s.key, err = s.command(ctx, p, "key", "create", "--school", s.id, "--name", "growth")
		}
		if err == nil {
			err = s.sample(ctx)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, growthSchool{school: s, rows: rows, found: map[string]time.Duration{}})
	}
	return all, nil
}

// ask measures all operations on the school and adds their median times to g.found.
func (g growthSchool) ask(o options, server *program.Process) error {
	d := driver{key: g.key, connections: 2, duration: o.duration}
	for _, q := range measuredLists(g.school) {
		warm := d
		warm.duration /= 4
		_, next, err := warm.drive(q.operation, g.samples, server, 0)
		if err != nil {
			return err
		}
		got, _, err := d.drive(q.operation, g.samples, server, next)
		if err != nil {
			return err
		}
		g.found[q.name] = got.p50
		fmt.Fprintf(os.Stderr, "%9d  %-40s %8.2f ms\n", g.rows, q.name, float64(got.p50)/float64(time.Millisecond))
	}
	return nil
}
