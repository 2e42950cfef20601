package storetest

import (
	"context"
	"math"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// summaryBy returns the summary of a submission by the person for the fixture's assignment.
func (l courseFixture) summaryBy(n submission.Submission, by person.State) submission.Summary {
	return submission.Summary{
		Submission: n, PersonName: by.FullName(), PersonEmail: by.Email,
		AssignmentTitle: l.assignment.Title, CourseName: l.course.Name,
	}
}

// submissions tests ports.SubmissionReader and ports.SubmissionRepo.
func submissions(t *testing.T, b Backend) {
	t.Run("Get returns the submission, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		one, two := w.newSubmission(l.attempt, l.assignmentActivity), w.newSubmission(l.attempt, l.assignmentActivity)
		w.save(two, one)
		for _, want := range []submission.Submission{one, two} {
			got, err := w.read().Submissions.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, l.summaryBy(want, l.learner)), "")
			got, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (submission.Summary, error) {
				return tx.Submissions.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(diff(got, l.summaryBy(want, l.learner)), "")
		}
		_, err := w.read().Submissions.Get(w.ctx(), w.newSubmission(l.attempt, l.assignmentActivity).ID)
		is.True(isNotFound(err))
	})

	t.Run("Names in submissions are the current ones", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		n := w.newSubmission(l.attempt, l.assignmentActivity)
		w.save(n)
		p := l.learner
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.trySavePerson(p))
		got, err := w.read().Submissions.Get(w.ctx(), n.ID)
		is.NoErr(err)
		is.Equal(diff(got, l.summaryBy(n, p)), "")
		is.Equal(countBy(w.tenant, w.read().Submissions, submission.Schema, "person_name", "augusta@example.test"), 1)
		is.Equal(countBy(w.tenant, w.read().Submissions, submission.Schema, "person_email", l.learner.Email), 0)
		is.Equal(diff(w.all().Submissions, []submission.Summary{l.summaryBy(n, p)}), "")
	})

	t.Run("A submission remains when the person is unenrolled", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		n := w.newSubmission(l.attempt, l.assignmentActivity)
		w.save(n)
		is.Equal(w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID), 1)
		is.Equal(diff(w.all().Submissions, []submission.Summary{l.summaryBy(n, l.learner)}), "")
	})

	t.Run("Add inserts the submission with its file", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		for _, f := range []submission.File{
			{Name: "é ß 🎓.pdf", MediaType: "application/x-é", Size: 0}, {Name: "x", MediaType: "a/b", Size: 1 << 40},
		} {
			n := w.newSubmission(l.attempt, l.assignmentActivity)
			n.File = f
			is.NoErr(w.trySave(n))
			got, err := w.read().Submissions.Get(w.ctx(), n.ID)
			is.NoErr(err)
			is.Equal(diff(got.Submission, n), "")
		}
	})

	t.Run("Add returns an error for an unknown assignment, activity, person or course attempt", func(t *testing.T) {
		w := newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		for _, spoil := range []func(*submission.Submission){
			func(n *submission.Submission) { n.Assignment.UUID = w.ids.New() },
			func(n *submission.Submission) { n.Activity.UUID = w.ids.New() },
			func(n *submission.Submission) { n.Person.UUID = w.ids.New() },
			func(n *submission.Submission) { n.CourseAttempt.UUID = w.ids.New() },
		} {
			n := w.newSubmission(l.attempt, l.assignmentActivity)
			spoil(&n)
			w.mustReject(n)
		}
	})

	t.Run("DeleteByPerson deletes all submissions of the person and returns their ids in order", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		one, two := w.newSubmission(l.attempt, l.assignmentActivity), w.newSubmission(l.attempt, l.assignmentActivity)
		theirs := w.newSubmission(other, l.assignmentActivity)
		w.save(two, theirs, one)
		remove := func() []submission.ID {
			ids, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) ([]submission.ID, error) {
				return tx.Submissions.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32)
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
