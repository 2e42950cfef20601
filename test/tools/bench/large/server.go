package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the database driver
	"lyceum/test/kit/pgtest"
	"lyceum/test/tools/bench/program"
)

// server is a running server with its database and an empty folder for files.
type server struct {
	url, dir   string
	lyceum     string   // the program
	settings   []string // environment of the program
	db         *sqlx.DB
	client     *http.Client
	process    *program.Process
	postmaster int                // process ID of the PostgreSQL server; 0: on another machine
	neighbor   string             // key of the school whose requests are measured
	schools    map[string]*school // the imported schools by name
}

// school is a school that an operation uses.
type school struct{ id, key string }

// neighborPeople is the number of people in the school whose requests are measured.
const neighborPeople = 1000

// startServer creates a database with the neighbor and starts the server.
func startServer(ctx context.Context, lyceum, parent string) (_ *server, stop func(), err error) {
	dir, err := os.MkdirTemp(parent, "run")
	if err != nil {
		return nil, nil, err
	}
	dsn, drop, err := pgtest.Durable(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	s := &server{dir: dir, lyceum: lyceum, schools: map[string]*school{}, settings: []string{
		"LYCEUM_STORE=postgres", "LYCEUM_DATABASE_URL=" + dsn, "LYCEUM_FILES_DIR=" + filepath.Join(dir, "files"),
	}}
	s.client = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}}
	if s.db, err = sqlx.Connect("postgres", dsn); err != nil {
		drop()
		return nil, nil, err
	}
	stop = func() {
		if s.process != nil {
			s.process.Stop()
		}
		_ = s.db.Close()
		drop()
	}
	if _, err = s.command(ctx, "migrate"); err == nil {
		err = s.addNeighbor(ctx)
	}
	if err == nil {
		s.postmaster, err = program.FindPostmaster(ctx, dsn)
	}
	if err == nil {
		s.process, err = program.Start(ctx, lyceum, s.settings, filepath.Join(dir, "log"), "serve", "--addr")
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	s.url = s.process.URL
	return s, stop, nil
}

func (s *server) addNeighbor(ctx context.Context) error {
	made, err := s.newSchool(ctx, "Neighbor")
	if err != nil {
		return err
	}
	s.neighbor = made.key
	_, err = s.command(ctx, "demo", "--school", made.id, "--people", strconv.Itoa(neighborPeople))
	return err
}

// newSchool creates an empty school.
func (s *server) newSchool(ctx context.Context, name string) (*school, error) {
	id, err := s.command(ctx, "school", "create", "--name", name)
	if err != nil {
		return nil, err
	}
	key, err := s.command(ctx, "key", "create", "--school", id)
	return &school{id: id, key: key}, err
}

// command runs a command of the program and returns its output.
func (s *server) command(ctx context.Context, args ...string) (string, error) {
	return program.Output(ctx, s.lyceum, s.settings, args...)
}

// settle ends the work that the preparation of an operation leaves behind: invitation emails, the
// vacuum of the new rows, and their checkpoint. For a repetition it only deletes the emails.
func (s *server) settle(ctx context.Context, turn int) error {
	statements := []string{"DELETE FROM jobs", "VACUUM (ANALYZE)", "CHECKPOINT"}
	if turn > 0 {
		statements = statements[:1]
	}
	for _, statement := range statements {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}
