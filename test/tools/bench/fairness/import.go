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

	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
)

// importer imports people in the process of the attackers, as the command does.
type importer struct {
	once sync.Once
	app  *app.App
	err  error
}

// importSize is the number of people in an import.
const importSize = 5000

// run imports people as CSV into the attacker's school. It exits on an error, because every further
// import would fail too.
func (i *importer) run(ctx context.Context, w serverInfo) int {
	i.once.Do(func() {
		cfg := server.Defaults()
		cfg.Store, cfg.Postgres.DSN, cfg.Files.Dir = server.Postgres, w.DSN, os.TempDir()
		var s *server.Server
		if s, i.err = server.New(cfg); i.err == nil {
			i.app = s.App()
		}
	})
	err := i.err
	if err == nil {
		err = i.bring(ctx, w)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "fairness: import:", err)
		os.Exit(1)
	}
	if err != nil {
		return 0
	}
	return http.StatusOK
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
