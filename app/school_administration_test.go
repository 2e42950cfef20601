package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/jobs"
	"lyceum/app/operator"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
)

func TestSchoolNameIsUsedOnce(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, err := w.Provision.CreateSchool(w.ctx, " Acme ", school.Open, "")
	is.True(fault.Is(err, fault.Invalid))
	other, err := w.Provision.CreateSchool(w.ctx, "Other", school.Open, "")
	is.NoErr(err)
	_, err = w.Provision.RenameSchool(w.ctx, other.ID, "Acme")
	is.True(fault.Is(err, fault.Invalid))
	_, err = w.Provision.RenameSchool(w.ctx, other.ID, " ")
	is.True(fault.Is(err, fault.Invalid))
	for _, same := range []string{"ACME", "acme"} {
		_, err = w.Provision.CreateSchool(w.ctx, same, school.Open, "")
		is.Equal(err.Error(), `invalid: name: a school named "Acme" already exists`)
		is.True(fault.Is(w.Provision.CheckRename(w.ctx, other.ID, same), fault.Invalid))
	}
	is.NoErr(w.Provision.CheckRename(w.ctx, other.ID, "OTHER")) // the school's own name
	renamed, err := w.Provision.RenameSchool(w.ctx, other.ID, "Third")
	is.NoErr(err)
	is.Equal(renamed.Name, "Third")
	found, err := w.Provision.School(w.ctx, "Third")
	is.NoErr(err)
	is.Equal(found.State().ID, other.ID)
}

// An administrator of a school cannot give it the name of another school. The school can keep its
// name, also with another capitalization.
func TestUpdateRefusesNameOfOtherSchool(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, err := w.Provision.CreateSchool(w.ctx, "River  School", school.Open, "")
	is.NoErr(err)
	rename := func(name string) error {
		_, err := w.School.Update(w.ctx, w.actor, school.Changes{Name: &name})
		return err
	}
	for _, same := range []string{"River  School", "river school", "RIVER SCHOOL"} {
		err := rename(same)
		is.True(err != nil)
		is.Equal(err.Error(), "invalid: name: A record with the given name has already been taken")
	}
	for _, free := range []string{"Acme", "ACME", "River"} {
		is.NoErr(rename(free))
	}
	found, err := w.Provision.School(w.ctx, "River")
	is.NoErr(err)
	is.Equal(found.State().ID, w.school)
}

// The keys of a suspended school are refused as soon as cached lookups have expired, and accepted
// again after the suspension.
func TestSuspendedSchool(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, secret, err := w.Provision.CreateKey(w.ctx, w.school, school.KeyParams{Name: "ci", Scope: school.Read})
	is.NoErr(err)
	authenticate := func() error {
		w.clock.Advance(5 * time.Second)
		_, err := w.Auth.Authenticate(w.ctx, secret)
		return err
	}
	is.NoErr(authenticate())
	s, err := w.Provision.SuspendSchool(w.ctx, w.school)
	is.NoErr(err)
	is.Equal(s.SuspendedAt, w.clock.Now())
	for range 2 { // the second time from the cache
		err := authenticate()
		is.True(fault.Is(err, fault.Forbidden))
		is.True(strings.Contains(err.Error(), "suspended"))
		_, err = w.Auth.Authenticate(w.ctx, secret)
		is.True(fault.Is(err, fault.Forbidden))
	}
	is.True(!w.Auth.Unseen(secret)) // known, so it is not a guess
	_, err = w.Provision.ResumeSchool(w.ctx, w.school)
	is.NoErr(err)
	is.NoErr(authenticate())
}

func TestDeleteSchool(t *testing.T) {
	is := is.New(t)
	w := newClassroom(t)
	saved, err := w.Learning.Submit(w.ctx, w.actor, w.ada, w.essay, upload("a.txt", "first"))
	is.NoErr(err)
	named := usecase.FileOf(w.school, saved.ID)
	orphan := usecase.FileOf(w.school, submission.ID{UUID: w.ids.New()}) // its upload was interrupted
	_, err = w.files.Put(w.ctx, orphan, strings.NewReader("second"))
	is.NoErr(err)
	is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error {
		return tx.Jobs.Add(ctx, job.New(job.ID{UUID: w.ids.New()}, w.school, jobs.FileCleanupKind, orphan, w.clock.Now()))
	}))
	_, secret, err := w.Provision.CreateKey(w.ctx, w.school, school.KeyParams{Name: "ci", Scope: school.Read})
	is.NoErr(err)
	is.True(fault.Is(w.Provision.DeleteSchool(w.ctx, w.school), fault.Forbidden)) // not suspended
	_, err = w.Provision.SuspendSchool(w.ctx, w.school)
	is.NoErr(err)
	w.clock.Advance(operator.SuspensionDelay - time.Millisecond)
	// Its keys may still be in use.
	is.True(fault.Is(w.Provision.DeleteSchool(w.ctx, w.school), fault.Forbidden))
	w.clock.Advance(time.Millisecond)
	is.NoErr(w.Provision.DeleteSchool(w.ctx, w.school))

	_, err = w.Auth.Authenticate(w.ctx, secret)
	is.True(fault.Is(err, fault.Unauthenticated))
	all, err := w.Provision.Schools(w.ctx)
	is.NoErr(err)
	is.Equal(len(all), 0)
	for _, name := range []string{named, orphan} {
		_, ok := w.files.holds(t, name)
		is.Equal(ok, false)
	}
	left, err := w.queue.List(w.ctx, jobs.FileCleanupKind)
	is.NoErr(err)
	is.Equal(len(left), 0)
	is.True(fault.Is(w.Provision.DeleteSchool(w.ctx, w.school), fault.NotFound))
}
