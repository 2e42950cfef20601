package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	_ "github.com/lib/pq"
	"lyceum/adapters/demo"
	"lyceum/test/kit/pgtest"
	"lyceum/test/tools/bench/program"
)

// large is the size of the measured school. A second school in the same tables has a fifth of this
// size.
var large = demo.Size{
	People: 100_000, Courses: 2_000, Categories: 50, Coupons: 200, Groups: 5_000, Enrollments: 1_000_000,
	Memberships: 500_000, Events: 5_000_000, Answers: 1_000_000, Seed: 7,
}

func sized(scale float64) demo.Size { return scaled(large, scale) }

// scaled returns s with each number multiplied by scale; each number is at least 1.
func scaled(s demo.Size, scale float64) demo.Size {
	for _, n := range []*int{
		&s.People, &s.Courses, &s.Categories, &s.Coupons, &s.Groups, &s.Enrollments, &s.Memberships, &s.Events, &s.Answers,
	} {
		*n = max(1, int(float64(*n)*scale))
	}
	return s
}

// school is the measured school.
type school struct {
	dsn, id, key string
	size         demo.Size
	samples
}

func (s school) settings() []string {
	return []string{"LYCEUM_STORE=postgres", "LYCEUM_DATABASE_URL=" + s.dsn}
}

// bareDSN returns the DSN with settings that the server has too: statements that are not prepared
// save a round trip, and the statements of triggers are not compiled, which takes most of the time of
// an enrollment.
func (s school) bareDSN() string {
	if strings.Contains(s.dsn, "?") {
		return s.dsn + "&binary_parameters=yes&jit=off"
	}
	if strings.Contains(s.dsn, "://") {
		return s.dsn + "?binary_parameters=yes&jit=off"
	}
	return s.dsn + " binary_parameters=yes jit=off"
}

// prepare returns a filled school and a function that deletes everything that prepare has created.
func prepare(ctx context.Context, o options, p programs) (*school, func(), error) {
	s, done := &school{dsn: o.database, size: sized(o.scale)}, func() {}
	if s.dsn == "" {
		dsn, drop, err := pgtest.Durable(ctx, o.keep)
		if err != nil {
			return nil, nil, err
		}
		s.dsn, done = dsn, drop
		if err := s.fill(ctx, p); err != nil {
			done()
			return nil, nil, err
		}
	}
	err := s.open(ctx, p)
	if err != nil {
		done()
	}
	return s, done, err
}

// fill creates the two schools with the command line.
func (s *school) fill(ctx context.Context, p programs) error {
	if _, err := s.command(ctx, p, "migrate"); err != nil {
		return err
	}
	for _, one := range []struct {
		name string
		size demo.Size
	}{{"Measured", s.size}, {"Neighbor", scaled(s.size, 0.2)}} {
		if _, err := s.add(ctx, p, one.name, one.size); err != nil {
			return err
		}
	}
	return s.settle(ctx)
}

// settle ends the work that filling the database leaves behind, so that it does not disturb the
// measurement: thousands of invitation emails, the vacuum of the new tables, and their checkpoint.
func (s *school) settle(ctx context.Context) error {
	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for _, statement := range []string{"DELETE FROM jobs", "VACUUM (ANALYZE)", "CHECKPOINT"} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// add creates a school of the given size and returns its id.
func (s *school) add(ctx context.Context, p programs, name string, size demo.Size) (string, error) {
	id, err := s.command(ctx, p, "school", "create", "--name", name)
	if err != nil {
		return "", err
	}
	began, n := time.Now(), strconv.Itoa
	_, err = s.command(ctx, p, "demo", "--school", id, "--people", n(size.People), "--courses", n(size.Courses),
		"--categories", n(size.Categories), "--coupons", n(size.Coupons), "--groups", n(size.Groups),
		"--enrollments", n(size.Enrollments), "--memberships", n(size.Memberships),
		"--answers", n(size.Answers), "--events", n(size.Events), "--seed", strconv.FormatUint(size.Seed, 10))
	fmt.Fprintf(os.Stderr, "%s: filled in %s\n", name, time.Since(began).Round(time.Second))
	return id, err
}

// open finds the largest school of the database, counts its rows, and creates an API key for it.
func (s *school) open(ctx context.Context, p programs) error {
	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, `
		SELECT school_id FROM people GROUP BY school_id ORDER BY count(*) DESC LIMIT 1`).Scan(&s.id)
	if err != nil {
		return fmt.Errorf("find the school: %w", err)
	}
	for table, n := range map[string]*int{
		"people": &s.size.People, "courses": &s.size.Courses, "groups": &s.size.Groups, "enrollments": &s.size.Enrollments,
		"events": &s.size.Events, "quiz_answers": &s.size.Answers,
	} {
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM `+table+` WHERE school_id = $1`, s.id).Scan(n); err != nil {
			return err
		}
	}
	s.key, err = s.command(ctx, p, "key", "create", "--school", s.id, "--name", "load")
	return err
}

func (s *school) command(ctx context.Context, p programs, args ...string) (string, error) {
	return program.Output(ctx, p.lyceum, s.settings(), args...)
}

// find sets s.id to the id of the school with the given name, if it exists.
func (s *school) find(ctx context.Context, name string) error {
	db, err := sql.Open("postgres", s.dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, `SELECT id FROM schools WHERE name = $1`, name).Scan(&s.id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
