package app_test

import (
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// invite creates a learner and returns who it is.
func (w *world) invite(t *testing.T) person.ID {
	t.Helper()
	s, err := w.Learners.Create(w.ctx, w.actor, person.Profile{Email: "new@example.test"})
	is.New(t).NoErr(err)
	return s.ID
}

// deliver delivers until nothing is due.
func (w *world) deliver(t *testing.T) {
	t.Helper()
	for took := true; took; {
		var err error
		took, err = w.Invitations.DeliverNext(w.ctx)
		is.New(t).NoErr(err)
	}
}

// waiting returns the jobs in the queue.
func (w *world) waiting(t *testing.T) []job.Job {
	t.Helper()
	jobs, err := w.Outbox.List(w.ctx)
	is.New(t).NoErr(err)
	return jobs
}

func TestANewLearnerIsInvitedOnce(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.deliver(t)
	w.deliver(t)
	letters := w.letters.Letters()
	is.Equal(len(letters), 1)
	is.Equal(letters[0].To, "new@example.test")
	is.Equal(letters[0].School, "Acme")
	is.Equal(len(w.waiting(t)), 0)
}

func TestWhoIsNotInvited(t *testing.T) {
	for _, tc := range []struct {
		name   string
		auth   school.AuthMethod
		happen func(w *world, id person.ID) error
	}{
		{name: "anybody under single sign-on", auth: school.SSO},
		{
			name: "a person deleted meanwhile", auth: school.Open,
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
			is.Equal(len(w.letters.Letters()), 0)
			is.Equal(len(w.waiting(t)), 0)
		})
	}
}

func TestARefusedLearnerIsNotInvited(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, err := w.Learners.Create(w.ctx, w.actor, person.Profile{Email: "ada@example.test"}) // taken
	is.True(fault.Is(err, fault.Invalid))
	is.Equal(len(w.waiting(t)), 0)
}

func TestALetterThatFailsIsTriedAgainUnderTheSameID(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.letters.Fail(errors.New("421 out of order"))
	w.deliver(t)
	put := w.waiting(t)[0]
	is.Equal(put.State, job.Waiting)
	is.Equal(put.LastError, "421 out of order")
	is.True(put.RunAt.After(start))

	w.letters.Fail(nil)
	w.deliver(t) // its time has not come
	is.Equal(len(w.letters.Letters()), 0)
	w.clock.Advance(time.Minute)
	w.deliver(t)
	is.Equal(w.letters.Letters()[0].ID, put.ID)
}

func TestALetterThatNeverCanBeDeliveredIsDeadUntilRetried(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.letters.Fail(fault.Invalidf("email", "550 no such mailbox"))
	w.deliver(t)
	dead := w.waiting(t)[0]
	is.Equal(dead.State, job.Dead)

	w.letters.Fail(nil)
	is.NoErr(w.Outbox.Retry(w.ctx, dead.ID))
	w.deliver(t)
	is.Equal(len(w.letters.Letters()), 1)
}

func TestALetterIsDeadWhenItWasTriedTooOften(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.letters.Fail(errors.New("451 later"))
	for range 16 {
		w.deliver(t)
		w.clock.Advance(8 * time.Hour)
	}
	is.Equal(w.waiting(t)[0].State, job.Dead)
	is.Equal(w.waiting(t)[0].Attempts, 16)
}

// A letter whose workers die before they can tell how it went does not go round
// for ever.
func TestALetterThatKillsItsWorkersIsBuried(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	for range 16 {
		now := w.clock.Now()
		taken, err := w.queue.Lease(w.ctx, invitation.Kind, 1, now, now.Add(time.Minute)) // and never seen again
		is.NoErr(err)
		is.Equal(len(taken), 1)
		w.clock.Advance(time.Hour)
	}
	w.deliver(t)
	is.Equal(w.waiting(t)[0].State, job.Dead)
	is.Equal(len(w.letters.Letters()), 0)
}
