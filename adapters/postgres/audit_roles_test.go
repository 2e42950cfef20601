package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

// TestAuditRoles creates the roles of docs/operations/schools.md with the grants of that page. The role of
// the server can do everything except update and delete audit events, and the role for the
// retention can delete expired events.
func TestAuditRoles(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	dsn := pgtest.Fresh(t)
	owner := openRole(t, dsn, "")
	is.NoErr(migrations.Apply(t.Context(), owner, slog.New(slog.DiscardHandler)))
	suffix := "_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	own, err := sql.Open("postgres", dsn)
	is.NoErr(err)
	t.Cleanup(func() { _ = own.Close() })
	server, retention := "lyceum_server"+suffix, "lyceum_retention"+suffix
	for _, role := range []string{server, retention} {
		_, err := own.ExecContext(t.Context(), "CREATE ROLE "+role+" LOGIN PASSWORD 'secret'")
		is.NoErr(err)
		t.Cleanup(func() {
			_, err := own.ExecContext(context.WithoutCancel(t.Context()), "DROP OWNED BY "+role+"; DROP ROLE "+role)
			is.NoErr(err)
		})
	}
	_, err = own.ExecContext(t.Context(), documentedGrants(t, suffix))
	is.NoErr(err)

	a := roleApp(openRole(t, dsn, server))
	s, err := a.Provision.CreateSchool(t.Context(), "Guarded", school.Preregistration, "")
	is.NoErr(err)
	key, _, err := a.Provision.CreateKey(t.Context(), s.ID, school.KeyParams{Name: "key", Scope: school.Admin})
	is.NoErr(err)
	is.NoErr(a.Provision.RevokeKey(t.Context(), key.ID))
	actor := app.SystemActor(s.ID)
	ada, err := a.People.Create(t.Context(), actor, person.Profile{Email: "ada@example.test"})
	is.NoErr(err)
	is.NoErr(a.People.Delete(t.Context(), actor, ada.ID)) // erases addresses
	trail, err := a.Audit.List(t.Context(), actor, query.Query{Page: query.NewPage(1, 100)})
	is.NoErr(err)
	is.True(len(trail.Items) >= 5)
	_, err = a.Changes.Feed(t.Context(), actor)
	is.NoErr(err)
	a.Changes.KeepFor(time.Nanosecond)
	_, err = a.Changes.Sweep(t.Context())
	is.NoErr(err)

	limited, err := sql.Open("postgres", asRole(dsn, server))
	is.NoErr(err)
	t.Cleanup(func() { _ = limited.Close() })
	for _, statement := range []string{
		"DELETE FROM changes", "UPDATE changes SET actor_id = NULL", "UPDATE changes SET address = NULL", "TRUNCATE changes",
		"ALTER TABLE changes DISABLE TRIGGER ALL", "DROP TABLE changes",
	} {
		_, err := limited.ExecContext(t.Context(), statement)
		is.True(err != nil && (strings.Contains(err.Error(), "permission denied") || strings.Contains(err.Error(), "must be owner")))
	}
	a.Audit.KeepFor(time.Nanosecond)
	_, err = a.Audit.Sweep(t.Context())
	is.True(errors.Is(err, ports.ErrNotPermitted))

	cleaner := roleApp(openRole(t, dsn, retention))
	cleaner.Audit.KeepFor(time.Nanosecond)
	_, err = cleaner.Audit.Sweep(t.Context())
	is.NoErr(err)
	trail, err = a.Audit.List(t.Context(), actor, query.Query{Page: query.NewPage(1, 100)})
	is.NoErr(err)
	is.Equal(len(trail.Items), 0)
	_, err = cleaner.Provision.CreateSchool(t.Context(), "Another", school.Preregistration, "")
	is.True(err != nil) // the role for the retention can do nothing else
}

// documentedGrants returns the statements of docs/operations/schools.md, with the suffix at the names of
// the roles.
func documentedGrants(t *testing.T, suffix string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/operations/schools.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(page), "```sql\nGRANT ")
	block, _, _ = strings.Cut("GRANT "+block, "```")
	if !found {
		t.Fatal("docs/operations/schools.md has no grants")
	}
	return strings.NewReplacer("lyceum_server", "lyceum_server"+suffix, "lyceum_retention", "lyceum_retention"+suffix).Replace(block)
}

// asRole returns a DSN for the database of dsn as another role; blank: the same role.
func asRole(dsn, role string) string {
	if role == "" {
		return dsn
	}
	return dsn + " user=" + role + " password=secret" // the last value of a key is used
}

func openRole(t *testing.T, dsn, role string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: asRole(dsn, role), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func roleApp(db *pgdb.DB) *app.App {
	store := postgres.New(db)
	return app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.NewSystem(), clock.NewRandom())
}
