package app_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/audit"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// A turnstile counts transactions. It blocks the first one until opened is closed. Before the
// second one begins, the turnstile calls second and fails if second returns an error. After the
// commit of the second one, it returns lost.
type turnstile struct {
	ports.Store
	opened  chan struct{}
	entered atomic.Int64
	second  func() error
	lost    error
	until   time.Time // deadline of the second transaction
}

func (s *turnstile) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	switch s.entered.Add(1) {
	case 1:
		<-s.opened
	case 2:
		s.until, _ = ctx.Deadline()
		if err := s.second(); err != nil {
			return err
		}
		return errors.Join(s.Store.InTx(ctx, id, fn), s.lost)
	}
	return s.Store.InTx(ctx, id, fn)
}

// reported is the result of a request.
type reported struct {
	events []event.Event
	err    error
}

// rush starts one request and, while its transaction runs, twelve further requests, each with its
// own client ID. odd can modify the context and the reports of a request. rush returns the results
// and the number of transactions.
func rush(t *testing.T, c *classroom, second func() error, odd func(ctx context.Context, i int, s *learning.EventReport) context.Context) ([]reported, int) {
	t.Helper()
	return through(t, c, &turnstile{Store: c.store, opened: make(chan struct{}), second: second}, odd)
}

func through(t *testing.T, c *classroom, gate *turnstile, odd func(ctx context.Context, i int, s *learning.EventReport) context.Context) ([]reported, int) {
	t.Helper()
	use := app.New(gate, c.schools, c.queue, c.files, c.emails, c.clock, fake.NewIDs())
	got := make([]reported, 13)
	report := func(i int) {
		s := learning.EventReport{Kind: event.ViewedActivity, Person: c.ada, Activity: c.text, ClientID: fmt.Sprint("client-", i)}
		ctx := odd(c.ctx, i, &s)
		got[i].events, got[i].err = use.Learning.RecordEvents(ctx, c.actor, []learning.EventReport{s})
	}
	go report(0)
	synctest.Wait()
	for i := range 12 {
		go report(i + 1)
		synctest.Wait() // keeps the order of requests
	}
	close(gate.opened)
	synctest.Wait()
	return got, int(gate.entered.Load())
}

func same(ctx context.Context, _ int, _ *learning.EventReport) context.Context { return ctx }

func nothing() error { return nil }

func feed(c *classroom) []event.Event {
	found, err := c.Events.List(c.ctx, c.actor, query.Query{})
	if err != nil {
		panic(err)
	}
	return found.Items
}

func TestConcurrentReportsAreBatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		got, transactions := rush(t, c, nothing, same)
		is.Equal(transactions, 2) // one for the first request, and one for all other requests
		is.Equal(len(feed(c)), 13)
		for i, r := range got {
			is.NoErr(r.err)
			is.Equal(len(r.events), 1)
			is.Equal(r.events[0].ClientID, fmt.Sprint("client-", i)) // the event of its own report
			is.Equal(r.events[0].Position, int64(i+1))               // in the order of the requests
		}
		_, err := c.Learning.RecordEvents(c.ctx, c.actor, []learning.EventReport{{Kind: event.ViewedActivity, Person: c.ada, Activity: c.text}})
		is.NoErr(err) // no request of the school is still recording
	})
}

func TestFaultyReportDoesNotFailItsBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		got, _ := rush(t, c, nothing, func(ctx context.Context, i int, s *learning.EventReport) context.Context {
			if i == 5 {
				s.Person = person.ID{}
			}
			return ctx
		})
		is.Equal(len(feed(c)), 12)
		for i, r := range got {
			if i == 5 {
				is.True(fault.Is(r.err, fault.NotFound))
				is.Equal(firstFault(t, r.err).Row, 1) // 1-based row of its own request
				continue
			}
			is.NoErr(r.err)
			is.Equal(r.events[0].ClientID, fmt.Sprint("client-", i))
		}
	})
}

func TestBatchFailureFallsBackToSingleRequests(t *testing.T) {
	for name, second := range map[string]func() error{
		"an outage": func() error { return errors.New("gone") },
		"a panic":   func() error { panic("a bug") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				c := newClassroom(t)
				got, transactions := rush(t, c, second, same)
				is.Equal(transactions, 14)
				is.Equal(len(feed(c)), 13)
				for _, r := range got {
					is.NoErr(r.err)
				}
			})
		})
	}
}

func TestCanceledRequestLeavesBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		got, transactions := rush(t, c, nothing, func(ctx context.Context, i int, _ *learning.EventReport) context.Context {
			ctx, cancel := context.WithCancel(ctx)
			if i == 3 {
				cancel()
			}
			t.Cleanup(cancel)
			return ctx
		})
		is.Equal(transactions, 2)
		is.Equal(len(feed(c)), 12)
		is.True(errors.Is(got[3].err, context.Canceled))
	})
}

func TestUnknownOutcomeIsNotRecordedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		gone := errors.New("the connection is gone")
		got, transactions := through(t, c, &turnstile{Store: c.store, opened: make(chan struct{}), second: nothing, lost: gone}, same)
		is.Equal(transactions, 2)
		is.Equal(len(feed(c)), 13)
		is.NoErr(got[0].err)
		for _, r := range got[1:] {
			is.True(errors.Is(r.err, gone))
			is.Equal(len(r.events), 0)
		}
	})
}

// The store abandons a commit at the deadline of its context, and the outcome is then unknown. The
// commit of a batch has the deadline of a request.
func TestCommitOfBatchHasDeadlineOfRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		end := time.Now().Add(30 * time.Second)
		ctx, cancel := context.WithDeadline(t.Context(), end)
		defer cancel()
		gate := &turnstile{Store: c.store, opened: make(chan struct{}), second: nothing}
		got, transactions := through(t, c, gate, func(context.Context, int, *learning.EventReport) context.Context { return ctx })
		is.Equal(transactions, 2)
		is.Equal(gate.until, end)
		is.NoErr(got[12].err)
	})
}

// After batchTxTimeout each request is recorded in a transaction of its own.
func TestBatchIsSplitAfterTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		slow := func() error { time.Sleep(2 * time.Second); return nil }
		gate := &turnstile{Store: c.store, opened: make(chan struct{}), second: slow}
		got, _ := through(t, c, gate, same)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		is.Equal(gate.entered.Load(), int64(14))
		is.Equal(len(feed(c)), 13)
		is.NoErr(got[12].err)
	})
}

func TestWaitForBatchIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		gate := &turnstile{Store: c.store, opened: make(chan struct{}), second: nothing}
		use := app.New(gate, c.schools, c.queue, c.files, c.emails, c.clock, fake.NewIDs())
		all := []learning.EventReport{{Kind: event.ViewedActivity, Person: c.ada, Activity: c.text}}
		var first error
		// This call blocks until opened is closed.
		go func() { _, first = use.Learning.RecordEvents(c.ctx, c.actor, all) }()
		synctest.Wait()
		began := time.Now()
		for range 3 {
			_, err := use.Learning.RecordEvents(c.ctx, c.actor, all)
			is.NoErr(err)
		}
		is.Equal(time.Since(began), 300*time.Millisecond) // three times maxBatchWait
		is.Equal(len(feed(c)), 3)
		close(gate.opened)
		synctest.Wait()
		is.NoErr(first)
		is.Equal(len(feed(c)), 4)
	})
}

// The audit event of each completion names the request that caused it, and its actor, although the
// requests are recorded in one transaction.
func TestCompletionsOfBatchHaveOriginsOfTheirRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		gate := &turnstile{Store: c.store, opened: make(chan struct{}), second: nothing}
		use := app.New(gate, c.schools, c.queue, c.files, c.emails, c.clock, fake.NewIDs())
		is.NoErr(c.Enrollments.AddPeople(enrollment.Learner)(c.ctx, c.actor, c.greek, []person.ID{c.bob}))
		bobs := c.signIn(t, c.bob)
		last := c.lastEvent(t)
		origins := make([]audit.Origin, 5)
		report := func(i int, a app.Actor, all ...learning.EventReport) {
			request, address := fmt.Sprint("request-", i), fmt.Sprint("192.0.2.", i)
			origins[i] = audit.Origin{Actor: a.Audited(), Request: request, Address: address}
			go func() {
				_, err := use.Learning.RecordEvents(usecase.WithRequest(c.ctx, request, address), a, all)
				is.NoErr(err)
			}()
			synctest.Wait()
		}
		byKey := func() app.Actor {
			return usecase.ByKey(school.Key{School: c.school, ID: school.KeyID{UUID: uuid.New()}, Scope: school.Admin})
		}
		video := func(p person.ID, watched int) learning.EventReport {
			f, err := event.ParseFraction(fmt.Sprintf("0.%02d", watched))
			is.NoErr(err)
			return learning.EventReport{Kind: event.ViewedVideo, Person: p, Activity: c.video, Watched: f}
		}
		report(0, byKey(), video(c.ada, 10))
		report(1, byKey(), video(c.ada, 20)) // the leader, which completes nothing
		report(2, usecase.ByLearner(c.school, c.ada, uuid.New()), video(c.ada, 98), video(c.ada, 99))
		report(3, byKey(), video(c.ada, 99)) // completed by the request before
		report(4, usecase.BySession(c.school, bobs), video(c.bob, 99))
		close(gate.opened)
		synctest.Wait()
		is.Equal(gate.entered.Load(), int64(2))
		got := map[string]audit.Origin{}
		for _, e := range c.trail(t, last) {
			is.Equal(e.Record.Type, analytics.CompletionType)
			got[e.Record.ID] = e.Origin
		}
		of := ":" + c.video.String()
		is.Equal(got, map[string]audit.Origin{c.attemptOf(t, c.ada) + of: origins[2], c.attemptOf(t, c.bob) + of: origins[4]})
	})
}

// A session that ends while its request waits in a batch records nothing. The other requests of the
// batch are recorded.
func TestSessionEndsInBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c := newClassroom(t)
		gate := &turnstile{Store: c.store, opened: make(chan struct{}), second: nothing}
		use := app.New(gate, c.schools, c.queue, c.files, c.emails, c.clock, fake.NewIDs())
		is.NoErr(c.Enrollments.AddPeople(enrollment.Learner)(c.ctx, c.actor, c.greek, []person.ID{c.bob}))
		ends, remains := c.signIn(t, c.bob), c.signIn(t, c.bob)
		by := []app.Actor{c.actor, usecase.BySession(c.school, remains), usecase.BySession(c.school, ends)}
		errs := make([]error, len(by))
		for i, a := range by {
			go func() {
				_, errs[i] = use.Learning.RecordEvents(c.ctx, a, []learning.EventReport{{Kind: event.ViewedActivity, Person: c.bob, Activity: c.text}})
			}()
			synctest.Wait()
		}
		is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
			return tx.SignIns.DeleteSession(ctx, c.bob, ends.ID)
		}))
		close(gate.opened)
		synctest.Wait()
		is.NoErr(errs[0])
		is.NoErr(errs[1])
		is.True(fault.Is(errs[2], fault.Unauthenticated))
	})
}

// attemptOf returns the ID of the latest course attempt of p.
func (c *classroom) attemptOf(t *testing.T, p person.ID) (id string) {
	t.Helper()
	is.New(t).NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
		in := enrollment.PersonCourse{Person: p, Course: c.greek}
		latest, err := tx.Attempts.LatestMany(ctx, []enrollment.PersonCourse{in})
		id = latest[in].State().ID.String()
		return err
	}))
	return id
}
