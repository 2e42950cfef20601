package apitest_test

import (
	"testing"

	"lyceum/test/api/apitest"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/outages"
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
	outages.Run(t, inMemory)
}

func TestAudit(t *testing.T) {
	t.Parallel()
	outages.Audit(t, inMemory)
}

func TestOutagesOnPostgres(t *testing.T) {
	t.Parallel()
	outages.RunOnOneServer(t, onPostgres)
}

func inMemory(*testing.T) fixture.Backend { return fixture.Backend{Backend: stores.Memory()} }

func onPostgres(t *testing.T) fixture.Backend {
	t.Helper()
	dsn := pgtest.Exclusive(t)
	return fixture.Backend{Backend: stores.Postgres(t, dsn, 4), Second: stores.Postgres(t, dsn, 4).Store}
}
