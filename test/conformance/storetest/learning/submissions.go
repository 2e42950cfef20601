package learning

import (
	"context"
	"math"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// Submissions tests ports.SubmissionReader and ports.SubmissionRepo.
func Submissions(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the submission, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		one, two := w.NewSubmission(l.Attempt, l.AssignmentActivity), w.NewSubmission(l.Attempt, l.AssignmentActivity)
		w.Save(two, one)
		for _, want := range []submission.Submission{one, two} {
			got, err := w.Read().Submissions.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, l.SummaryBy(want, l.Learner)), "")
			got, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (submission.Summary, error) {
				return tx.Submissions.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(got, l.SummaryBy(want, l.Learner)), "")
		}
		_, err := w.Read().Submissions.Get(w.Context(), w.NewSubmission(l.Attempt, l.AssignmentActivity).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Names in submissions are the current ones", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		n := w.NewSubmission(l.Attempt, l.AssignmentActivity)
		w.Save(n)
		p := l.Learner
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.TrySavePerson(p))
		got, err := w.Read().Submissions.Get(w.Context(), n.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, l.SummaryBy(n, p)), "")
		is.Equal(lists.CountBy(w.Tenant, w.Read().Submissions, submission.Schema, "person_name", "augusta@example.test"), 1)
		is.Equal(lists.CountBy(w.Tenant, w.Read().Submissions, submission.Schema, "person_email", l.Learner.Email), 0)
		is.Equal(fixture.Diff(w.All().Submissions, []submission.Summary{l.SummaryBy(n, p)}), "")
	})

	t.Run("A submission remains when the person is unenrolled", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		n := w.NewSubmission(l.Attempt, l.AssignmentActivity)
		w.Save(n)
		is.Equal(w.Unenroll(l.Learner.ID, enrollment.Learner, l.Course.ID), 1)
		is.Equal(fixture.Diff(w.All().Submissions, []submission.Summary{l.SummaryBy(n, l.Learner)}), "")
	})

	t.Run("Add inserts the submission with its file", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		for _, f := range []submission.File{
			{Name: "é ß 🎓.pdf", MediaType: "application/x-é", Size: 0}, {Name: "x", MediaType: "a/b", Size: 1 << 40},
		} {
			n := w.NewSubmission(l.Attempt, l.AssignmentActivity)
			n.File = f
			is.NoErr(w.TrySave(n))
			got, err := w.Read().Submissions.Get(w.Context(), n.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got.Submission, n), "")
		}
	})

	t.Run("Add returns an error for an unknown assignment, activity, person or course attempt", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		for _, spoil := range []func(*submission.Submission){
			func(n *submission.Submission) { n.Assignment.UUID = w.IDs.New() },
			func(n *submission.Submission) { n.Activity.UUID = w.IDs.New() },
			func(n *submission.Submission) { n.Person.UUID = w.IDs.New() },
			func(n *submission.Submission) { n.CourseAttempt.UUID = w.IDs.New() },
		} {
			n := w.NewSubmission(l.Attempt, l.AssignmentActivity)
			spoil(&n)
			w.MustReject(n)
		}
	})

	t.Run("DeleteByPerson deletes all submissions of the person and returns their ids in order", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		one, two := w.NewSubmission(l.Attempt, l.AssignmentActivity), w.NewSubmission(l.Attempt, l.AssignmentActivity)
		theirs := w.NewSubmission(other, l.AssignmentActivity)
		w.Save(two, theirs, one)
		remove := func() []submission.ID {
			ids, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]submission.ID, error) {
				return tx.Submissions.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32)
			})
			is.NoErr(err)
			return ids
		}
		is.Equal(remove(), []submission.ID{one.ID, two.ID})
		is.Equal(len(remove()), 0)
		all := w.All().Submissions
		is.Equal(len(all), 1)
		is.Equal(all[0].ID, theirs.ID)
	})
}
