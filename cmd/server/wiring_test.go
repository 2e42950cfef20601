// These tests check that the assembly of the server is complete on both stores, and that
// it starts and stops without leaks.
package server_test

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"
	"go.uber.org/goleak"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/ports"
)

// used depends on every part of a server, so that fx.ValidateApp checks that all parts are
// provided.
func used(
	*app.App, ports.Store, ports.Schools, ports.Queue, ports.Files, ports.InvitationSender, ports.Clock, ports.IDs,
	*transport.Server, *worker.Pool, *slog.Logger,
) {
}

func TestEveryStoreIsComplete(t *testing.T) {
	tests := map[server.Store]pgdb.Config{
		server.Memory:   {},
		server.Postgres: {DSN: "postgres://unknown@127.0.0.1:1/nothing?sslmode=disable"},
	}
	for store, db := range tests {
		t.Run(string(store), func(t *testing.T) {
			is := is.New(t)
			cfg := server.Defaults()
			cfg.Store, cfg.Postgres, cfg.Files.Dir = store, db, t.TempDir()
			is.NoErr(fx.ValidateApp(server.Options(cfg), fx.Invoke(used)))
		})
	}
}

func TestServerStartsAndStops(t *testing.T) {
	is := is.New(t)
	before := goleak.IgnoreCurrent()
	cfg := server.Defaults()
	cfg.Transport.Addr = "127.0.0.1:0"
	var srv *transport.Server
	a := fxtest.New(t, server.Options(cfg), fx.Populate(&srv))
	a.RequireStart()

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL()+"/readyz", nil)
	is.NoErr(err)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	is.NoErr(err)
	is.NoErr(response.Body.Close())
	is.Equal(response.StatusCode, http.StatusOK)

	a.RequireStop()
	goleak.VerifyNone(t, before)
}

// Another module can replace a part of the server through an fx option.
func TestPartCanBeReplaced(t *testing.T) {
	is := is.New(t)
	var made ports.IDs
	_, err := server.New(server.Defaults(),
		fx.Decorate(func(ids ports.IDs) ports.IDs { return counted{ids} }),
		fx.Populate(&made),
	)
	is.NoErr(err)
	_, replaced := made.(counted)
	is.True(replaced)
}

type counted struct{ ports.IDs }
