package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// invite creates a learner and returns their ID.
func (w *world) invite(t *testing.T) person.ID {
	t.Helper()
	s, err := w.Learners.Create(w.ctx, w.actor, person.Profile{Email: "new@example.test"})
	is.New(t).NoErr(err)
	return s.ID
}

// deliver calls DeliverNext until no job is due.
func (w *world) deliver(t *testing.T) {
	t.Helper()
	for took := true; took; {
		var err error
		took, err = w.InvitationDelivery.DeliverNext(w.ctx)
		is.New(t).NoErr(err)
	}
}

// waiting returns the unfinished jobs that deliver invitation emails.
func (w *world) waiting(t *testing.T) []job.Job {
	t.Helper()
	jobs, err := w.Jobs.List(w.ctx, invitation.Kind)
	is.New(t).NoErr(err)
	return jobs
}

func TestNewLearnerIsInvitedOnce(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.deliver(t)
	w.deliver(t)
	emails := w.emails.Messages()
	is.Equal(len(emails), 1)
	is.Equal(emails[0].To, "new@example.test")
	is.Equal(emails[0].School, "Acme")
	is.Equal(len(w.waiting(t)), 0)
}

// Emails of a suspended school wait until it is resumed.
func TestSuspendedSchoolSendsNoInvitations(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	_, err := w.Provision.SuspendSchool(w.ctx, w.school)
	is.NoErr(err)
	for range 3 {
		w.deliver(t)
		w.clock.Advance(24 * time.Hour)
	}
	is.Equal(len(w.emails.Messages()), 0)
	is.Equal(w.waiting(t)[0].LastError, "held: the school is suspended")
	_, err = w.Provision.ResumeSchool(w.ctx, w.school)
	is.NoErr(err)
	w.clock.Advance(10 * time.Minute)
	w.deliver(t)
	is.Equal(len(w.emails.Messages()), 1)
}

func TestInvitationIsNotSent(t *testing.T) {
	for _, tc := range []struct {
		name   string
		auth   school.AuthMethod
		happen func(w *world, id person.ID) error
	}{
		{name: "a person under single sign-on", auth: school.SSO},
		{
			name: "a person deleted before the delivery", auth: school.Open,
			happen: func(w *world, id person.ID) error { return w.People.Delete(w.ctx, w.actor, id) },
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, tc.auth)
			id := w.invite(t)
			if tc.happen != nil {
				is.NoErr(tc.happen(w, id))
			}
			w.deliver(t)
			is.Equal(len(w.emails.Messages()), 0)
			is.Equal(len(w.waiting(t)), 0)
		})
	}
}

func TestRefusedLearnerIsNotInvited(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, err := w.Learners.Create(w.ctx, w.actor, person.Profile{Email: "ada@example.test"}) // the address is taken
	is.True(fault.Is(err, fault.Invalid))
	is.Equal(len(w.waiting(t)), 0)
}

func TestFailedDeliveryIsRetriedWithSameID(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.emails.Fail(errors.New("421 unavailable"))
	w.deliver(t)
	put := w.waiting(t)[0]
	is.Equal(put.State, job.Waiting)
	is.Equal(put.LastError, "421 unavailable")
	is.True(put.RunAt.After(start))

	w.emails.Fail(nil)
	w.deliver(t) // not due yet
	is.Equal(len(w.emails.Messages()), 0)
	w.clock.Advance(time.Minute)
	w.deliver(t)
	is.Equal(w.emails.Messages()[0].ID, put.ID)
}

func TestUndeliverableMessageIsDeadUntilRetried(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.emails.Fail(fault.Invalidf("email", "550 no such mailbox"))
	w.deliver(t)
	dead := w.waiting(t)[0]
	is.Equal(dead.State, job.Dead)

	w.emails.Fail(nil)
	is.NoErr(w.Jobs.Retry(w.ctx, invitation.Kind, dead.ID))
	w.deliver(t)
	is.Equal(len(w.emails.Messages()), 1)
}

func TestDeliveryIsDeadAfterMaxAttempts(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.emails.Fail(errors.New("451 later"))
	for range 16 {
		w.deliver(t)
		w.clock.Advance(8 * time.Hour)
	}
	is.Equal(w.waiting(t)[0].State, job.Dead)
	is.Equal(w.waiting(t)[0].Attempts, 16)
}

// A job is marked dead after three of its leases expired without an outcome, because it may crash
// its workers. A job with a recorded failure gets more attempts.
func TestCrashingJobIsMarkedDead(t *testing.T) {
	for name, tc := range map[string]struct {
		fails int // number of failures before the crashes
		want  job.State
	}{"no outcome was ever recorded": {0, job.Dead}, "a failure was recorded": {1, job.Waiting}} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			w.invite(t)
			w.emails.Fail(errors.New("451 later"))
			for range tc.fails {
				w.deliver(t)
				w.clock.Advance(time.Hour)
			}
			for range 3 {
				now := w.clock.Now()
				leased, err := w.queue.Lease(w.ctx, invitation.Kind, 1, now, now.Add(time.Minute))
				is.NoErr(err)
				is.Equal(len(leased), 1)
				w.clock.Advance(time.Hour)
			}
			w.deliver(t)
			is.Equal(w.waiting(t)[0].State, tc.want)
			is.Equal(len(w.emails.Messages()), 0)
		})
	}
}

// A job that cannot get a lock in time is rescheduled, so that jobs of other schools can run. The
// attempt is not counted.
func TestDeliveryDoesNotWaitForALockedPerson(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	limited, cancel := context.WithTimeout(w.ctx, 10*time.Second)
	defer cancel()
	is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.People.GetForUpdate(ctx, id); err != nil {
			return err
		}
		took, err := w.InvitationDelivery.DeliverNext(limited)
		is.NoErr(err)
		is.True(took)
		return nil
	}))
	is.Equal(len(w.emails.Messages()), 0)
	put := w.waiting(t)[0]
	is.Equal(put.State, job.Waiting)
	is.Equal(put.Attempts, 0)
	is.Equal(put.RunAt, start.Add(2*time.Second))

	w.clock.Advance(2 * time.Second)
	w.deliver(t)
	is.Equal(len(w.emails.Messages()), 1)
}
