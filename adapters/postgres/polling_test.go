package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// poller reads changes with an overlap, as docs/http.md describes.
type poller struct {
	store   *postgres.Store
	school  school.ID
	overlap time.Duration
	since   time.Time
	seen    map[uuid.UUID]time.Time
	used    []string // emails of the rows that the poller has processed
}

// poll is one iteration of the loop in docs/http.md.
func (p *poller) poll(t *testing.T) {
	t.Helper()
	updatedAt := person.Schema.Attr("updated_at")
	from := p.since.Add(-p.overlap)
	page, err := p.store.Read(p.school).People.List(t.Context(), query.Query{
		Where: query.Cond{
			Attr: updatedAt, Op: query.Gteq, Values: []query.Value{{From: from, To: from.Add(time.Millisecond)}},
		},
		Sort: []query.Order{{Attr: updatedAt}}, Page: query.NewPage(1, 1000),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Items {
		if at, ok := p.seen[row.ID.UUID]; !ok || !at.Equal(row.UpdatedAt) {
			p.used = append(p.used, row.Email)
			p.seen[row.ID.UUID] = row.UpdatedAt
		}
		if row.UpdatedAt.After(p.since) {
			p.since = row.UpdatedAt
		}
	}
}

// The order of updated_at is not the order of the commits, so a poller without an overlap misses a
// row that was committed late. A poller with the documented overlap finds the row once.
func TestPollingByUpdatedAt(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	writer, reader := openStore(t, dsn), openStore(t, dsn) // two instances of the server
	id := newSchool(t, writer)
	add := func(ctx context.Context, tx ports.Tx, email string, at time.Time) error {
		s := newPerson(email).State()
		s.CreatedAt, s.UpdatedAt = at, at
		return tx.People.Add(ctx, person.Restore(s))
	}
	addNow := func(email string, at time.Time) {
		within(t, writer, id, func(ctx context.Context, tx ports.Tx) error { return add(ctx, tx, email, at) })
	}
	newPoller := func(overlap time.Duration) *poller {
		return &poller{store: reader, school: id, overlap: overlap, seen: map[uuid.UUID]time.Time{}}
	}
	naive, documented := newPoller(0), newPoller(5*time.Minute)
	poll := func() {
		naive.poll(t)
		documented.poll(t)
	}

	addNow("first@example.test", now)
	poll()
	written, commit, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		first := true // the transaction may run again
		done <- writer.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			if err := add(ctx, tx, "slow@example.test", now.Add(time.Second)); err != nil {
				return err
			}
			if first {
				first = false
				close(written)
				<-commit
			}
			return nil
		})
	}()
	<-written
	addNow("quick@example.test", now.Add(20*time.Second))
	poll() // finds a row that is newer than the uncommitted row
	close(commit)
	is.NoErr(<-done)
	poll()
	poll()
	addNow("last@example.test", now.Add(25*time.Second))
	poll()

	is.Equal(naive.used, []string{"first@example.test", "quick@example.test", "last@example.test"})
	is.Equal(documented.used, []string{
		"first@example.test", "quick@example.test", "slow@example.test", "last@example.test",
	})
}
