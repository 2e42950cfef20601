package storetest

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
)

// deletion tests that deleting a person deletes everything that belongs to the person and nothing
// else.
func deletion(t *testing.T, b Backend) {
	t.Run("Deleting a person deletes all records of the person and no others", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		g := w.addGroup("Painters", l.course.ID)
		w.enroll(l.learner.ID, w.addCourse("Managed").ID, enrollment.Manager)
		for _, in := range []attempt.State{l.attempt, other} {
			view := event.NewView(in.Person, l.text.ID)
			view.CreatedAt = w.nextTime()
			w.addMembership(in.Person, g.ID, membership.Member)
			w.save(
				attempt.Completion{Attempt: in.ID, Activity: l.text.ID, At: w.nextTime()},
				w.newQuizAttempt(in, l.quizActivity, l.quiz, 1, true, true, false), w.newQuizAttempt(in, l.quizActivity, l.quiz, 2, true),
				w.newSubmission(in, l.assignmentActivity), w.newSubmission(in, l.assignmentActivity), view,
				w.newAttempt(in.Person, l.course.ID, 2),
			)
		}
		manager := w.addMembership(l.learner.ID, w.addGroup("Singers").ID, membership.Manager)
		w.mustReconcile() // saves the progress of the attempts
		want := cloneAll(w.all())
		gone := l.learner.ID
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
			if want.Courses[i].ID == l.course.ID {
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

		is.NoErr(w.deletePerson(gone))
		is.Equal(diff(w.all(), want), "")
		is.Equal(len(w.enrollmentsOf(gone)), 0)
		_, err := w.read().Memberships.Get(w.ctx(), manager.ID)
		is.True(isNotFound(err))
		is.Equal(len(w.mustReconcile()), 0)
		is.Equal(w.tallyOf(other.ID).Completed, 1)

		w.save(l.learner) // add the person again
		w.enroll(gone, l.course.ID, enrollment.Learner)
		_, err = w.latest(gone, l.course.ID)
		is.True(isNotFound(err))
		is.Equal(len(w.all().QuizScores), 1)
	})
}
