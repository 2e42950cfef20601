package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/operator"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/intercept"
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

// The deletion of a school deletes the files of a course that is still being removed.
func TestDeleteSchoolDuringCourseRemoval(t *testing.T) {
	eachBackend(t, func(t *testing.T, store backend) {
		is, w := is.New(t), newClassroomOn(t, store)
		saved, err := w.Learning.Submit(w.ctx, w.actor, w.ada, w.essay, upload("a.txt", "first"))
		is.NoErr(err)
		w.clock.Advance(3 * time.Hour)
		_, err = w.FileCleanup.DeleteNext(w.ctx) // finds the submission
		is.NoErr(err)
		_, err = w.Courses.DeleteAll(w.ctx, w.actor, w.greek)
		is.NoErr(err)
		w.suspend(t)
		is.NoErr(w.Provision.DeleteSchool(w.ctx, w.school))
		_, kept := w.files.holds(t, usecase.FileOf(w.school, saved.ID))
		is.True(!kept)
	})
}

// The deletion of a school deletes the files of an import that commits in the meantime. If it is
// interrupted after the last record, another call deletes them.
func TestDeleteSchoolDuringImport(t *testing.T) {
	eachBackend(t, func(t *testing.T, store backend) {
		is, w := is.New(t), newClassroomOn(t, store)
		w.suspend(t)
		name, outage := "", errors.New("the folder is away")
		schools := intercept.Schools(w.schools, func(_ context.Context, call string) error {
			if call != "Schools.Delete" || name != "" {
				return nil
			}
			_, err := w.Transfers.Import(w.ctx, w.actor, kit.Reading(withSubmission))
			is.NoErr(err)
			all, err := w.store.Read(w.school).Submissions.List(w.ctx, query.Query{Page: query.AllRows()})
			is.NoErr(err)
			name = usecase.FileOf(w.school, all.Items[0].ID)
			_, kept := w.files.holds(t, name)
			is.True(kept)
			w.files.removeFails = outage
			return nil
		})
		a := app.New(w.store, schools, w.queue, w.files, w.emails, w.clock, w.ids)
		is.True(errors.Is(a.Provision.DeleteSchool(w.ctx, w.school), outage))
		left, err := w.Provision.Schools(w.ctx)
		is.NoErr(err)
		is.Equal(len(left), 0)
		w.files.removeFails = nil
		is.True(fault.Is(w.Provision.DeleteSchool(w.ctx, w.school), fault.NotFound))
		_, kept := w.files.holds(t, name)
		is.True(!kept)
	})
}

func eachBackend(t *testing.T, test func(*testing.T, backend)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, memory.New()) })
	t.Run("postgres", func(t *testing.T) { test(t, onPostgres(t)) })
}

// suspend suspends the school for as long as its deletion requires.
func (c *classroom) suspend(t *testing.T) {
	t.Helper()
	_, err := c.Provision.SuspendSchool(c.ctx, c.school)
	is.New(t).NoErr(err)
	c.clock.Advance(operator.SuspensionDelay)
}

// withSubmission is a file with a new attempt of Ada in greek and a submission.
const withSubmission = `{"kind": "school", "format": 1, "name": "Acme"}
{"kind": "attempt", "course": "greek", "person": "ada@example.test", "number": 1}
{"kind": "submission", "course": "greek", "person": "ada@example.test", "attempt": 1, "activity": "Write", "name": "a.txt", "text": "x"}
{"kind": "end"}
`
