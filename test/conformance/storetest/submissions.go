package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// shownAs returns a submission of the lesson's essay as documents show it.
func (l lesson) shownAs(n submission.Submission, by person.State) submission.Summary {
	return submission.Summary{
		Submission: n, PersonName: by.FullName(), PersonEmail: by.Email,
		AssignmentTitle: l.paper.Title, CourseName: l.course.Name,
	}
}

// submissions tests ports.SubmissionReader and ports.SubmissionRepo.
func submissions(t *testing.T, b Backend) {
	t.Run("Get returns the submission id, NotFound when there is none", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		one, two := w.newSubmission(l.attempt, l.essay), w.newSubmission(l.attempt, l.essay)
		w.keep(two, one)
		for _, want := range []submission.Submission{one, two} {
			got, err := w.read().Submissions.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, l.shownAs(want, l.learner)), "")
			got, err = within(w.tenant, func(ctx context.Context, tx ports.Tx) (submission.Summary, error) {
				return tx.Submissions.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(diff(got, l.shownAs(want, l.learner)), "")
		}
		_, err := w.read().Submissions.Get(w.ctx(), w.newSubmission(l.attempt, l.essay).ID)
		is.True(isMissing(err))
	})

	t.Run("The names by which a submission is found are those of the moment", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		n := w.newSubmission(l.attempt, l.essay)
		w.keep(n)
		p := l.learner
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.trySavePerson(p))
		got, err := w.read().Submissions.Get(w.ctx(), n.ID)
		is.NoErr(err)
		is.Equal(diff(got, l.shownAs(n, p)), "")
		is.Equal(countBy(w.tenant, w.read().Submissions, submission.Schema, "person_name", "augusta@example.test"), 1)
		is.Equal(countBy(w.tenant, w.read().Submissions, submission.Schema, "person_email", l.learner.Email), 0)
		is.Equal(diff(w.all().Submissions, []submission.Summary{l.shownAs(n, p)}), "")
	})

	t.Run("A submission outlives the enrollment", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		n := w.newSubmission(l.attempt, l.essay)
		w.keep(n)
		is.Equal(w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID), 1)
		is.Equal(diff(w.all().Submissions, []submission.Summary{l.shownAs(n, l.learner)}), "")
	})

	t.Run("Add keeps a new submission with its file", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		for _, f := range []submission.File{
			{Name: "é ß 🎓.pdf", MediaType: "application/x-é", Size: 0}, {Name: "x", MediaType: "a/b", Size: 1 << 40},
		} {
			n := w.newSubmission(l.attempt, l.essay)
			n.File = f
			is.NoErr(w.tryKeep(n))
			got, err := w.read().Submissions.Get(w.ctx(), n.ID)
			is.NoErr(err)
			is.Equal(diff(got.Submission, n), "")
		}
	})

	t.Run("Add refuses an assignment, activity, person or course attempt that the school has not", func(t *testing.T) {
		w := begin(t, b)
		l := newLesson(w.tenant, "one")
		for _, spoil := range []func(*submission.Submission){
			func(n *submission.Submission) { n.Assignment.UUID = w.ids.New() },
			func(n *submission.Submission) { n.Activity.UUID = w.ids.New() },
			func(n *submission.Submission) { n.Person.UUID = w.ids.New() },
			func(n *submission.Submission) { n.CourseAttempt.UUID = w.ids.New() },
		} {
			n := w.newSubmission(l.attempt, l.essay)
			spoil(&n)
			w.mustRefuse(n)
		}
	})

	t.Run("RemoveOfPerson forgets all submissions of a person and returns their ids, in their order", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		other := l.pupil(w.tenant, "grace@example.test")
		one, two := w.newSubmission(l.attempt, l.essay), w.newSubmission(l.attempt, l.essay)
		theirs := w.newSubmission(other, l.essay)
		w.keep(two, theirs, one)
		remove := func() []submission.ID {
			ids, err := within(w.tenant, func(ctx context.Context, tx ports.Tx) ([]submission.ID, error) {
				return tx.Submissions.DeleteByPerson(ctx, l.learner.ID)
			})
			is.NoErr(err)
			return ids
		}
		is.Equal(remove(), []submission.ID{one.ID, two.ID})
		is.Equal(len(remove()), 0)
		all := w.all().Submissions
		is.Equal(len(all), 1)
		is.Equal(all[0].ID, theirs.ID)
	})
}
