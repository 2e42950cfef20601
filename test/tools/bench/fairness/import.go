package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/domain/fault"
)

// importer imports people and deletes schools in the process of the attackers, as the lyceum
// commands do.
type importer struct {
	once sync.Once
	app  *app.App
	err  error
}

// open connects to the database at the first call. On an error it ends the process, because every
// further call would fail too.
func (i *importer) open(ctx context.Context, w serverInfo) {
	i.once.Do(func() {
		cfg := server.Defaults()
		cfg.Store, cfg.Postgres.DSN, cfg.Files.Dir = server.Postgres, w.DSN, w.Files
		var s *server.Server
		if s, i.err = server.New(cfg); i.err == nil {
			i.app = s.App()
		}
	})
	exitOn(ctx, i.err)
}

// exitOn ends the process if err is not nil and the attack has not ended.
func exitOn(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "fairness: command:", err)
		os.Exit(1)
	}
}

// importSize is the number of people in an import.
const importSize = 5000

// run imports people as CSV into the attacker's school.
func (i *importer) run(ctx context.Context, w serverInfo) int {
	i.open(ctx, w)
	if ctx.Err() != nil {
		return 0
	}
	err := i.bring(ctx, w)
	exitOn(ctx, err)
	if err != nil {
		return 0
	}
	return http.StatusOK
}

// deleteSchool deletes the first suspended school that still exists. If none exists, it waits for a
// second and returns 0.
func (i *importer) deleteSchool(ctx context.Context, w serverInfo) int {
	i.open(ctx, w)
	for _, id := range w.Suspended {
		s, err := i.app.Provision.School(ctx, id)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Invalid) { // no school matches
			continue
		}
		if err == nil {
			err = i.app.Provision.DeleteSchool(ctx, s.State().ID)
		}
		exitOn(ctx, err)
		return http.StatusOK
	}
	pause(ctx, time.Second)
	return 0
}

func (i *importer) bring(ctx context.Context, w serverInfo) error {
	s, err := i.app.Provision.School(ctx, w.School)
	if err != nil {
		return err
	}
	var file strings.Builder
	file.WriteString("email,first_name,last_name\n")
	for range importSize {
		fmt.Fprintf(&file, "c%d@example.test,New,Person\n", rand.Int64())
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(file.String())), nil }
	_, err = i.app.Transfers.ImportPeople(ctx, app.SystemActor(s.State().ID), transfer.Import{Open: open}, false)
	return err
}
