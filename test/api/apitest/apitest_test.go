package apitest_test

import (
	"testing"

	"lyceum/test/api/apitest"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestMemory(t *testing.T) {
	t.Parallel()
	apitest.Run(t, inMemory)
	apitest.RunTransport(t, inMemory)
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	apitest.Run(t, onPostgres)
}

func TestOutages(t *testing.T) {
	t.Parallel()
	apitest.Outages(t, inMemory)
}

func TestAudit(t *testing.T) {
	t.Parallel()
	apitest.Audit(t, inMemory)
}

func TestOutagesOnPostgres(t *testing.T) {
	t.Parallel()
	apitest.OutagesOnOneServer(t, onPostgres)
}

func inMemory(*testing.T) apitest.Backend { return apitest.Backend{Backend: stores.Memory()} }

func onPostgres(t *testing.T) apitest.Backend {
	t.Helper()
	dsn := pgtest.Exclusive(t)
	return apitest.Backend{Backend: stores.Postgres(t, dsn, 4), Second: stores.Postgres(t, dsn, 4).Store}
}
