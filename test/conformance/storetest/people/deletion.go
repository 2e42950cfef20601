package people

import (
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/test/conformance/storetest/fixture"
)

// Deletion tests that deleting a person deletes everything that belongs to the person and nothing
// else.
func Deletion(t *testing.T, b fixture.Backend) {
	t.Run("Deleting a person deletes all records of the person and no others", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		g := w.AddGroup("Painters", l.Course.ID)
		w.Enroll(l.Learner.ID, w.AddCourse("Managed").ID, enrollment.Manager)
		for _, in := range []attempt.State{l.Attempt, other} {
			view := event.NewView(in.Person, l.Text.ID)
			view.CreatedAt = w.NextTime()
			w.AddMembership(in.Person, g.ID, membership.Member)
			w.Save(
				attempt.Completion{Attempt: in.ID, Activity: l.Text.ID, At: w.NextTime()},
				w.NewQuizAttempt(in, l.QuizActivity, l.Quiz, 1, true, true, false), w.NewQuizAttempt(in, l.QuizActivity, l.Quiz, 2, true),
				w.NewSubmission(in, l.AssignmentActivity), w.NewSubmission(in, l.AssignmentActivity), view,
				w.NewAttempt(in.Person, l.Course.ID, 2),
			)
		}
		manager := w.AddMembership(l.Learner.ID, w.AddGroup("Singers").ID, membership.Manager)
		w.MustReconcile() // saves the progress of the attempts
		want := fixture.CloneAll(w.All())
		gone := l.Learner.ID
		want.People = slices.DeleteFunc(want.People, func(p person.Summary) bool { return p.ID == gone })
		want.Enrollments = slices.DeleteFunc(want.Enrollments, func(e enrollment.Summary) bool { return e.Person == gone })
		want.Memberships = slices.DeleteFunc(want.Memberships, func(m membership.Membership) bool { return m.Person == gone })
		want.Submissions = slices.DeleteFunc(want.Submissions, func(s submission.Summary) bool { return s.Person == gone })
		want.Events = slices.DeleteFunc(want.Events, func(e event.Event) bool { return e.Person == gone })
		want.CourseAnalytics = slices.DeleteFunc(want.CourseAnalytics, func(r analytics.CourseProgress) bool { return r.Person == gone })
		want.QuizScores = slices.DeleteFunc(want.QuizScores, func(r analytics.QuizScore) bool { return r.Person == gone })
		want.RawAnswers = slices.DeleteFunc(want.RawAnswers, func(r analytics.RawAnswer) bool { return r.Person == gone })
		want.QuizAttempts = slices.DeleteFunc(want.QuizAttempts, func(r analytics.QuizAttempt) bool { return r.Person == gone })
		want.Completions = slices.DeleteFunc(want.Completions, func(c analytics.Completion) bool { return c.Person == gone })
		for i := range want.Courses {
			if want.Courses[i].ID == l.Course.ID {
				want.Courses[i].EnrollmentsCount = 1
			}
		}
		for i := range want.Groups {
			if want.Groups[i].ID == g.ID {
				want.Groups[i].MembershipCount = 1
			}
		}
		is.Equal(len(want.People)+len(want.Enrollments)+len(want.Memberships)+len(want.Submissions)+len(want.Events), 6)
		is.Equal(len(want.CourseAnalytics)+len(want.QuizScores)+len(want.RawAnswers), 2+1+4)
		is.Equal(len(want.QuizAttempts)+len(want.Completions), 2+1)

		is.NoErr(w.DeletePerson(gone))
		is.Equal(fixture.Diff(w.All(), want), "")
		is.Equal(len(w.EnrollmentsOf(gone)), 0)
		_, err := w.Read().Memberships.Get(w.Context(), manager.ID)
		is.True(fixture.IsNotFound(err))
		is.Equal(len(w.MustReconcile()), 0)
		is.Equal(w.TallyOf(other.ID).Completed, 1)

		w.Save(l.Learner) // add the person again
		w.Enroll(gone, l.Course.ID, enrollment.Learner)
		_, err = w.Latest(gone, l.Course.ID)
		is.True(fixture.IsNotFound(err))
		is.Equal(len(w.All().QuizScores), 1)
	})
}
