package invitations_test

import (
	"testing"

	"lyceum/cmd/server"
	"lyceum/test/e2e/invitations"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestMemory(t *testing.T) {
	t.Parallel()
	invitations.Run(t, func(*testing.T) server.Config { return server.Defaults() })
}

// onPostgres returns the configuration of servers on a new database.
func onPostgres(t *testing.T) server.Config {
	cfg := server.Defaults()
	cfg.Store, cfg.Files.Dir = server.Postgres, t.TempDir()
	cfg.Postgres.DSN, cfg.Postgres.MaxConns = pgtest.Exclusive(t), 4
	return cfg
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	invitations.Run(t, onPostgres)
}

func TestServersShareInvitations(t *testing.T) {
	t.Parallel()
	invitations.Shared(t, onPostgres(t))
}

func TestServersShareLimits(t *testing.T) {
	t.Parallel()
	invitations.SharedLimits(t, onPostgres(t))
}
