package bulk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/stores"
)

// TestPartLeasedTwiceIsAppliedOnce checks that rows are applied once even if a worker is so slow
// that its lease expires and another worker leases the part.
func TestPartLeasedTwiceIsAppliedOnce(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		id := w.accept(bulk.People, "ada@example.test Beginners", "bob@example.test Others", "eve@example.test Unknown")
		stuck := &slowStore{Store: w.Store, started: make(chan struct{}), leave: make(chan struct{})}
		over := make(chan bool)
		go func() { over <- w.applyNext(w.appOn(stuck)) }()
		<-stuck.started
		is.True(!w.applyNext(w.App)) // leased by another worker
		w.clock.Advance(lease)
		is.True(w.applyNext(w.App))
		close(stuck.leave)
		is.True(<-over)
		is.Equal(w.counts(), "2 people, 2 memberships, 1 enrollments, 2 emails")
		j := w.job(id)
		is.Equal([]int{j.RowsDone, j.RowsFailed, len(j.Errors)}, []int{3, 1, 1})
		is.True(!w.applyNext(w.App))
	})
}

// TestOutageRollsBackPart checks that an outage at the end of a part rolls back its changes, and
// that the part is retried.
func TestOutageRollsBackPart(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		id := w.accept(bulk.People, "ada@example.test Beginners", "invalid")
		failing := &failingStore{Store: w.Store}
		failing.failures.Store(1)
		is.True(w.applyNext(w.appOn(failing)))
		is.Equal(w.counts(), "0 people, 0 memberships, 0 enrollments, 0 emails")
		is.Equal(w.job(id).Status(), bulk.Queued)
		waiting, err := w.Queue.List(t.Context(), bulk.JobKind)
		is.NoErr(err)
		is.Equal(waiting[0].State, job.Waiting)
		is.Equal(waiting[0].LastError, errOutage.Error())
		is.True(waiting[0].RunAt.After(w.clock.Now()))
		is.True(!w.applyNext(w.App)) // not due yet

		w.clock.Advance(lease)
		is.True(w.applyNext(w.App))
		is.Equal(w.counts(), "1 people, 1 memberships, 1 enrollments, 1 emails")
		is.Equal(w.job(id).Status(), bulk.Completed)
		is.Equal(w.job(id).RowsFailed, 1)
	})
}

// TestRowsOfRevokedKeyFail checks that a revocation stops the rows that wait, and that rows of an
// expired key are applied.
func TestRowsOfRevokedKeyFail(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		end := w.clock.Now().Add(time.Hour)
		create := func(name string, end *time.Time) (school.Key, app.Actor) {
			k, secret, err := w.Keys.Create(t.Context(), w.actor, school.KeyParams{Name: name, Scope: school.Write, ExpiresAt: end})
			is.NoErr(err)
			a, err := w.Auth.Authenticate(t.Context(), secret)
			is.NoErr(err)
			return k, a
		}
		admin := w.actor
		var revoked school.Key
		revoked, w.actor = create("revoked", nil)
		people := w.accept(bulk.People, "ada@example.test Beginners", "invalid")
		groups := w.accept(bulk.Groups, "Beginners latin")
		_, w.actor = create("expired", &end)
		expired := w.accept(bulk.People, "bob@example.test Others")
		w.actor = admin
		is.NoErr(w.Keys.Revoke(t.Context(), w.actor, revoked.ID))
		w.clock.Advance(2 * time.Hour)
		for w.applyNext(w.App) {
		}

		const cause = "The API key of this request was revoked before the row was applied"
		is.Equal(w.job(people).Errors[0], bulk.RowError{Row: 0, Kind: fault.Forbidden, Detail: cause})
		is.Equal(w.job(people).Errors[1].Kind, fault.Invalid)
		is.Equal(w.job(groups).Errors, []bulk.RowError{{Row: 0, Kind: fault.Forbidden, Detail: cause}})
		is.Equal(w.job(expired).RowsFailed, 0)
		is.Equal(w.counts(), "1 people, 1 memberships, 0 enrollments, 1 emails")
	})
}

// maxAttempts is the number of attempts for a part.
const maxAttempts = 16

// TestPartFailsAfterTooManyAttempts checks that a part fails after too many attempts, so that its
// request completes. Its rows report the failure, except invalid rows, which report their own
// faults.
func TestPartFailsAfterTooManyAttempts(t *testing.T) {
	for name, more := range map[string]int32{"given up at once": 0, "given up after an outage": 1} {
		t.Run(name, func(t *testing.T) {
			onEachStore(t, func(t *testing.T, b stores.Backend) {
				is, w := is.New(t), newWorld(t, b, school.Preregistration)
				id := w.accept(bulk.People, "ada@example.test Beginners", "invalid")
				failing := &failingStore{Store: w.Store}
				failing.failures.Store(maxAttempts + more)
				for range maxAttempts {
					_, _ = w.appOn(failing).Bulk.ApplyNext(t.Context())
					w.clock.Advance(lease)
				}
				is.Equal(w.applyNext(w.appOn(failing)), more == 1)
				is.Equal(w.counts(), "0 people, 0 memberships, 0 enrollments, 0 emails")
				j := w.job(id)
				is.Equal(j.Status(), bulk.Completed)
				is.Equal(j.RowsFailed, 2)
				is.Equal(j.Errors, []bulk.RowError{
					{Row: 0, Kind: fault.Unavailable, Detail: "The row could not be applied after repeated attempts; nothing was changed"},
					{Row: 1, Field: "email", Kind: fault.Invalid, Detail: "is not a valid email address"},
				})
				is.True(!w.applyNext(w.App))
				dead, err := w.Jobs.List(t.Context(), bulk.JobKind, job.Dead)
				is.NoErr(err)
				is.Equal(len(dead), 1)
				is.True(dead[0].LastError != "")
				is.NoErr(w.Jobs.Retry(t.Context(), bulk.JobKind, dead[0].ID)) // the retried job finds nothing to do
				is.True(w.applyNext(w.App))
				is.Equal(w.job(id), j)
			})
		})
	}
}

// TestRowsInTheAuditTrail checks that the events of the rows name the key of the request and the bulk
// job, which the client knows.
func TestRowsInTheAuditTrail(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		id := w.accept(bulk.People, "ada@example.test Beginners")
		is.True(w.applyNext(w.App))
		all, err := w.Audit.List(t.Context(), w.actor, query.Query{Page: query.AllRows()})
		is.NoErr(err)
		var types []string
		for _, e := range all.Items {
			if e.Origin.Request == id.String() {
				is.Equal(e.Origin.Actor, w.actor.Audited())
				types = append(types, e.Record.Type)
			}
		}
		slices.Sort(types)
		is.Equal(slices.Compact(types), []string{"enrollments", "memberships", "people"})
	})
}

// TestUnfinishedRowsAreLimited checks that a school's requests are refused while a thousand parts of
// earlier ones are not finished.
func TestUnfinishedRowsAreLimited(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		var waiting []job.Job
		for range 1000 {
			waiting = append(waiting, job.New(job.ID{UUID: w.ids.New()}, w.actor.School(), bulk.JobKind, "", w.clock.Now()))
		}
		is.NoErr(w.Store.InTx(t.Context(), w.actor.School(), func(ctx context.Context, tx ports.Tx) error {
			return tx.Jobs.Add(ctx, waiting...)
		}))
		rows := []bulk.Row{bulk.People.NewRow(0, "ada@example.test", nil, nil, nil)}
		_, err := w.Bulk.Accept(t.Context(), w.actor, bulk.People, rows)
		is.True(fault.Is(err, fault.Unavailable))
		is.True(w.applyNext(w.App)) // one is finished
		_, err = w.Bulk.Accept(t.Context(), w.actor, bulk.People, rows)
		is.NoErr(err)
	})
}

// TestUnreadablePartFails checks that the rows of a part that cannot be decoded also fail after
// maxAttempts.
func TestUnreadablePartFails(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		id := w.accept(bulk.People, "ada@example.test Beginners", "eve@example.test")
		for range maxAttempts {
			is.True(w.applyNext(w.appOn(unreadableStore{w.Store})))
			w.clock.Advance(lease)
		}
		j := w.job(id)
		is.Equal(j.Status(), bulk.Completed)
		is.Equal(len(j.Errors), 2)
		for i, e := range j.Errors {
			is.Equal([]any{e.Row, e.Kind, e.Field}, []any{i, fault.Unavailable, ""})
		}
		dead, err := w.Jobs.List(t.Context(), bulk.JobKind, job.Dead)
		is.NoErr(err)
		is.Equal(len(dead), 1)
		is.Equal(dead[0].LastError, errUnreadable.Error())
	})
}

// TestPartThatCrashesWorkersFails checks that a part whose workers crash before they save an
// outcome is not retried forever.
func TestPartThatCrashesWorkersFails(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		id := w.accept(bulk.Groups, "Painters latin")
		for range maxAttempts {
			now := w.clock.Now()
			taken, err := w.Queue.Lease(t.Context(), bulk.JobKind, 1, now, now.Add(lease)) // never completed
			is.NoErr(err)
			is.Equal(len(taken), 1)
			w.clock.Advance(lease)
		}
		is.True(w.applyNext(w.App))
		is.Equal(w.job(id).RowsFailed, 1)
		is.Equal(w.job(id).Status(), bulk.Completed)
	})
}

// TestConcurrentWorkers lets workers apply parts about the same people and groups concurrently. No
// row may fail, no record may be duplicated, and each person is invited once.
func TestConcurrentWorkers(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		const addresses, rows, workers = 60, 800, 6
		rnd := rand.New(rand.NewPCG(3, 4))
		people := make([]string, rows)
		for i := range people {
			email := fmt.Sprintf("p%d@example.test", rnd.IntN(addresses))
			if i < addresses {
				email = fmt.Sprintf("P%d@example.test", i)
			}
			people[i] = email + []string{" Beginners", " Others", " beginners"}[i%3]
		}
		groups := make([]string, rows/4)
		for i := range groups {
			groups[i] = []string{"Others", "New", "beginners", "Newer"}[rnd.IntN(4)] + []string{" latin", " greek"}[rnd.IntN(2)]
		}
		ids := []bulk.ID{w.accept(bulk.People, people...), w.accept(bulk.Groups, groups...)}
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for w.applyNext(w.App) {
				}
			})
		}
		all.Wait()
		// On a busy machine a part can wait too long for a lock of another one. It is due again later.
		w.clock.Advance(lease)
		for w.applyNext(w.App) {
		}
		for _, id := range ids {
			j := w.job(id)
			is.Equal(j.Errors, nil)
			is.Equal(j.Status(), bulk.Completed)
		}
		beginners, others := map[string]bool{}, map[string]bool{}
		for i, line := range people {
			email := fmt.Sprint(i)
			_, _ = fmt.Sscanf(line[1:], "%s", &email)
			if i%3 == 1 {
				others[email] = true
			} else {
				beginners[email] = true
			}
		}
		learns := map[string]bool{}
		for email := range others {
			learns[email+" latin"], learns[email+" greek"] = true, true
		}
		for email := range beginners {
			learns[email+" latin"], learns[email+" greek"] = true, true
		}
		is.Equal(w.counts(), fmt.Sprintf("%d people, %d memberships, %d enrollments, %d emails",
			addresses, len(beginners)+len(others), len(learns), addresses))
	})
}

func TestSingleSignOnInvitesNoPerson(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.SSO)
		w.accept(bulk.People, "ada@example.test")
		is.True(w.applyNext(w.App))
		is.Equal(w.counts(), "1 people, 0 memberships, 0 enrollments, 0 emails")
	})
}

// TestURLAuthentication checks that a school with URL authentication rejects bulk requests about
// people, but accepts other bulk requests.
func TestURLAuthentication(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.URL)
		_, err := w.Bulk.Accept(t.Context(), w.actor, bulk.People, []bulk.Row{bulk.People.NewRow(0, "ada@example.test", nil, nil, nil)})
		is.True(fault.Is(err, fault.Forbidden))
		is.True(!w.applyNext(w.App))
		w.accept(bulk.Groups, "Painters latin")
		is.True(w.applyNext(w.App))
	})
}

// TestInvitationJobsExcludeBulkJobs checks that the operator cannot list or retry parts of bulk
// requests as invitation jobs.
func TestInvitationJobsExcludeBulkJobs(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		w.accept(bulk.People, "ada@example.test")
		messages, err := w.Jobs.List(t.Context(), invitation.Kind)
		is.NoErr(err)
		is.Equal(len(messages), 0)
		parts, err := w.Queue.List(t.Context(), bulk.JobKind)
		is.NoErr(err)
		is.True(fault.Is(w.Jobs.Retry(t.Context(), invitation.Kind, parts[0].ID), fault.NotFound))
	})
}

// TestJobWithoutPartIsCompleted checks that a job is completed if its payload is not the id of an
// existing part.
func TestJobWithoutPartIsCompleted(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newWorld(t, b, school.Preregistration)
		w.addJobWithoutPart("no id")
		w.addJobWithoutPart(w.ids.New().String())
		is.True(w.applyNext(w.App))
		is.True(w.applyNext(w.App))
		left, err := w.Queue.List(t.Context(), bulk.JobKind)
		is.NoErr(err)
		is.Equal(len(left), 0)
	})
}
