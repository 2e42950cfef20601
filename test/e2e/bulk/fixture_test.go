// Package bulk_test tests bulk requests on each store through the use cases, including the failures
// that can occur between a request and its completion.
package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// onEachStore runs a test on each store. The stores are empty.
func onEachStore(t *testing.T, test func(t *testing.T, b stores.Backend)) {
	t.Helper()
	stores.Each(t, func(t *testing.T, open stores.Opener) { test(t, open(t)) })
}

// world is a school with two courses and two groups. One group has one of the courses.
type world struct {
	*app.App
	stores.Backend
	t     *testing.T
	clock *fake.Clock
	ids   *fake.IDs
	actor app.Actor
}

func newWorld(t *testing.T, b stores.Backend, auth school.AuthMethod) *world {
	t.Helper()
	w := &world{t: t, Backend: b, clock: fake.NewClock(fake.Start), ids: fake.NewIDs()}
	w.App = w.appOn(b.Store)
	_, secret, err := kit.School{
		Name: "Acme", Auth: auth, Lines: `
		{"kind": "course", "permalink": "greek", "name": "Greek"}
		{"kind": "course", "permalink": "latin", "name": "Latin"}
		{"kind": "group", "name": "Beginners"}
		{"kind": "group_course", "group": "Beginners", "course": "greek"}
		{"kind": "group", "name": "Others"}`,
	}.Import(t.Context(), w.App)
	if err != nil {
		t.Fatal(err)
	}
	if w.actor, err = w.Auth.Authenticate(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	return w
}

// appOn returns the use cases of the world on store.
func (w *world) appOn(store ports.Store) *app.App {
	return app.New(store, w.Backend.Schools, w.Queue, files.NewMemory(), fake.NewInvitationSender(), w.clock, w.ids)
}

// accept accepts a bulk request. A line about a person has the form "address group", and a line
// about a group the form "name course".
func (w *world) accept(kind bulk.Kind, lines ...string) bulk.ID {
	w.t.Helper()
	rows := make([]bulk.Row, len(lines))
	for i, line := range lines {
		var targets []bulk.Target
		subject, target, ok := strings.Cut(line, " ")
		if ok {
			targets = []bulk.Target{{Field: "target", Name: target}}
		}
		rows[i] = kind.NewRow(i, subject, targets, nil, nil)
	}
	j, err := w.Bulk.Accept(w.t.Context(), w.actor, kind, rows)
	if err != nil {
		w.t.Fatal(err)
	}
	return j.ID
}

// applyNext applies the next part with the use cases a and reports whether there was one.
func (w *world) applyNext(a *app.App) bool {
	w.t.Helper()
	found, err := a.Bulk.ApplyNext(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

func (w *world) job(id bulk.ID) bulk.Job {
	w.t.Helper()
	j, err := w.Bulk.Get(w.t.Context(), w.actor, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return j
}

// counts returns the numbers of people, memberships, enrollments and invitation jobs, which are all
// the records that a bulk request about people can create.
func (w *world) counts() string {
	w.t.Helper()
	is := is.New(w.t)
	people, err := w.People.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	is.NoErr(err)
	var groups, courses int64
	for _, p := range people.Items {
		groups, courses = groups+p.GroupCount, courses+p.CourseCount
	}
	messages, err := w.Queue.List(w.t.Context(), invitation.Kind)
	is.NoErr(err)
	return fmt.Sprintf("%d people, %d memberships, %d enrollments, %d emails", len(people.Items), groups, courses, len(messages))
}

// failingStore is a store that rolls back its next transactions at their end. failures is the
// number of transactions still to roll back.
type failingStore struct {
	ports.Store
	failures atomic.Int32
}

var errOutage = errors.New("the database went away")

// InTx runs fn in a transaction. While failures is positive, it then rolls back and returns
// errOutage.
func (s *failingStore) InTx(ctx context.Context, id school.ID, fn func(context.Context, ports.Tx) error) error {
	return s.Store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		if s.failures.Add(-1) >= 0 {
			return errOutage
		}
		return nil
	})
}

// unreadableStore is a store whose transactions cannot decode the rows of a part.
type unreadableStore struct{ ports.Store }

// unreadableParts is the BulkRepo of an unreadableStore.
type unreadableParts struct{ ports.BulkRepo }

var errUnreadable = errors.New("the rows are not valid JSON")

// InTx runs fn in a transaction whose Bulk repository is unreadableParts.
func (s unreadableStore) InTx(ctx context.Context, id school.ID, fn func(context.Context, ports.Tx) error) error {
	return s.Store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		tx.Bulk = unreadableParts{tx.Bulk}
		return fn(ctx, tx)
	})
}

// GetPartForUpdate returns errUnreadable.
func (unreadableParts) GetPartForUpdate(context.Context, bulk.PartID) (bulk.Part, error) {
	return bulk.Part{}, errUnreadable
}

// slowStore is a store whose transactions wait before they start.
type slowStore struct {
	ports.Store
	started, leave chan struct{}
}

// InTx reports its start on started and waits for leave before it starts the transaction.
func (s *slowStore) InTx(ctx context.Context, id school.ID, fn func(context.Context, ports.Tx) error) error {
	s.started <- struct{}{}
	<-s.leave
	return s.Store.InTx(ctx, id, fn)
}

// lease is longer than the lease of a part and than each retry delay, so that the job is due after
// the clock has advanced by lease.
const lease = time.Hour

// addJobWithoutPart adds a job for a part that does not exist.
func (w *world) addJobWithoutPart(payload string) {
	w.t.Helper()
	err := w.Store.InTx(w.t.Context(), w.actor.School(), func(ctx context.Context, tx ports.Tx) error {
		return tx.Jobs.Add(ctx, job.New(job.ID{UUID: w.ids.New()}, w.actor.School(), bulk.JobKind, payload, w.clock.Now()))
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
