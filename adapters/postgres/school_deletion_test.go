package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/change"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// The deletion of a school must cover every table with a column school_id.
func TestSchoolDeletionCoversAllTables(t *testing.T) {
	is := is.New(t)
	_, db := freshStore(t)
	rows, err := db.QueryContext(t.Context(), `
		SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = current_schema() AND c.column_name = 'school_id' AND t.table_type = 'BASE TABLE'`)
	is.NoErr(err)
	defer func() { _ = rows.Close() }()
	want := map[string]bool{}
	for rows.Next() {
		var name string
		is.NoErr(rows.Scan(&name))
		want[name] = true
	}
	is.NoErr(rows.Err())
	got := map[string]bool{}
	for _, name := range postgres.SchoolTables {
		got[name] = true
	}
	is.Equal(got, want)
}

// The deletion of a school waits for workers that have locked a follower or an endpoint before it
// locks deliveries, which a worker locks later.
func TestSchoolDeletionWaitsForWorkers(t *testing.T) {
	for _, table := range []string{"followers", "webhook_endpoints"} {
		t.Run(table, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			id := newSchool(t, s)
			e := webhook.Endpoint{ID: webhook.ID{UUID: uuid.New()}, URL: "https://a.test", Types: []string{"*"}, Enabled: true, CreatedAt: now, UpdatedAt: now}
			is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
				d := webhook.NewDelivery(webhook.DeliveryID{UUID: uuid.New()}, e.ID, 0, now)
				return errors.Join(tx.Followers.Add(ctx, change.Follower{Name: webhook.Feed}), tx.Webhooks.Add(ctx, e), tx.Webhooks.Queue(ctx, []webhook.Delivery{d}))
			}))
			worker, err := db.BeginTx(t.Context(), nil)
			is.NoErr(err)
			defer func() { _ = worker.Rollback() }()
			_, err = worker.ExecContext(t.Context(), "SELECT FROM "+table+" WHERE school_id = $1 FOR NO KEY UPDATE", id.UUID)
			is.NoErr(err)
			deleted := make(chan error, 1)
			go func() {
				_, err := s.Schools().Delete(context.WithoutCancel(t.Context()), id, 1000)
				deleted <- err
			}()
			until(func() bool {
				return count(t, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`) > 0
			})
			_, err = worker.ExecContext(t.Context(), "SELECT FROM webhook_deliveries WHERE school_id = $1 FOR UPDATE NOWAIT", id.UUID)
			is.NoErr(err)
			is.NoErr(worker.Commit())
			is.NoErr(<-deleted)
		})
	}
}
