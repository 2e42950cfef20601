package replicas_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

// A long request checks its credentials again while replicas serve its reads. It sees a change of a
// key or a token at once, even if the replicas are late.
func TestCredentialsAreReadFromThePrimary(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{
		DSN: w.primary.DSN(), ReplicaDSNs: []string{w.replicas[0].DSN(), w.replicas[1].DSN()}, ReplicaAge: time.Hour,
	})
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(db.Close()) })
	store := postgres.New(db)
	before, err := store.Schools().ListKeys(t.Context(), demo.SchoolID)
	is.NoErr(err)
	time.Sleep(maxAge) // from now on, the replicas have the demo school
	routed := t.Context()
	w.waitFor("a replica is used", func() (used bool) {
		routed, _, used = db.Replicas().Route(t.Context(), time.Hour)
		return used
	})
	w.on(0, `SELECT pg_wal_replay_pause()`)
	w.on(1, `SELECT pg_wal_replay_pause()`)

	made, secret, err := w.app.Provision.CreateKey(t.Context(), demo.SchoolID, school.KeyParams{Name: "late", Scope: school.Admin})
	is.NoErr(err)
	keys, err := store.Schools().ListKeys(routed, demo.SchoolID)
	is.NoErr(err)
	is.Equal(len(keys), len(before)) // a replica serves other reads
	found, _, err := store.Schools().KeyByHash(routed, school.HashSecret(secret))
	is.NoErr(err)
	is.Equal(found.ID, made.ID)

	actor := app.SystemActor(demo.SchoolID)
	people, err := w.app.People.List(t.Context(), actor, query.Query{Page: query.AllRows()})
	is.NoErr(err)
	_, secret, err = w.app.Tokens.Create(t.Context(), actor, people.Items[0].ID, token.Expiry{})
	is.NoErr(err)
	_, _, err = store.Read(demo.SchoolID).Tokens.ByHash(routed, token.HashSecret(secret))
	is.NoErr(err)
}
