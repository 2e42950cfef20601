package courses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// learningDependents is the number of dependent records of a course fixture after StartLearning.
var learningDependents = course.Dependents{
	Activities: 4, Enrollments: 1, Managers: 1, CourseAttempts: 3, Completions: 4, QuizAttempts: 4, Submissions: 2, Events: 2, Groups: 1,
}

// CourseRemoval tests that removing a course deletes everything that belongs to it and nothing
// else.
func CourseRemoval(t *testing.T, b fixture.Backend) {
	t.Run("CountDependents counts the dependent records of the course; none for an unknown course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		l.StartLearning(w.Tenant)
		other.StartLearning(w.Tenant)
		is.Equal(dependents(w.Tenant, l.Course.ID), learningDependents)
		is.Equal(dependents(w.Tenant, w.AddCourse("Empty").ID), course.Dependents{})
		is.Equal(dependents(w.Tenant, w.NewCourse("None").ID), course.Dependents{})
	})

	t.Run("LockExclusive returns NotFound for an unknown course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing").ID
		closing := func(id course.ID) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.LockExclusive(ctx, id) })
		}
		is.NoErr(closing(c))
		is.True(fixture.IsNotFound(closing(w.NewCourse("None").ID)))
	})

	t.Run("BeginRemoval returns NotFound for an unknown course and for one that is being removed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing").ID
		is.True(fixture.IsNotFound(w.BeginRemoval(w.NewCourse("None").ID)))
		is.NoErr(w.BeginRemoval(c))
		is.True(fixture.IsNotFound(w.BeginRemoval(c)))
	})

	t.Run("A course that is being removed is not found", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design := w.AddCategory("Design")
		l := fixture.NewCourseFixture(w.Tenant, "one")
		l.StartLearning(w.Tenant)
		part := w.AddPartner(w.AddPerson("alan@example.test").ID, person.Instructor)
		filed := w.AddCourse("Filed", fixture.InCategories(design.ID), fixture.InstructedBy(part.ID))
		is.NoErr(w.BeginRemoval(filed.ID))
		is.NoErr(w.BeginRemoval(l.Course.ID))
		is.Equal(len(w.All().Courses), 1) // another course remains
		_, err := w.Read().Courses.IDByPermalink(w.Context(), l.Course.Permalink)
		is.True(fixture.IsNotFound(err))
		is.True(fixture.IsNotFound(fixture.Second(w.Read().Courses.Get(w.Context(), l.Course.ID))))
		is.True(fixture.IsNotFound(fixture.Second(w.Read().Structures.Get(w.Context(), l.Course.ID))))
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error {
			courses, err := tx.Courses.GetManyForShare(ctx, []course.ID{l.Course.ID})
			is.Equal(len(courses), 0)
			activities, errActivities := tx.Activities.GetManyForShare(ctx, []activity.ID{l.Text.ID})
			is.Equal(len(activities), 0)
			is.True(fixture.IsNotFound(fixture.Second(tx.Courses.GetForUpdate(ctx, l.Course.ID))))
			is.True(fixture.IsNotFound(fixture.Second(tx.Structures.GetForUpdate(ctx, l.Course.ID, nil, nil))))
			return errors.Join(err, errActivities)
		}))
		is.NoErr(w.DeleteCategory(design.ID))
		is.NoErr(w.TryDeletePartnership(part.ID))
		again := w.NewCourse("Again")
		again.Permalink = l.Course.Permalink
		w.Save(again) // the permalink is free
	})

	t.Run("ContinueRemoval removes records until none is left, with other writes in between", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		l.StartLearning(w.Tenant)
		for i := range 5 {
			l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i))
		}
		w.Enroll(l.Learner.ID, other.Course.ID, enrollment.Learner)
		is.NoErr(w.BeginRemoval(l.Course.ID))
		for done := false; !done; {
			removed, err := w.ContinueRemoval(l.Course.ID)
			is.NoErr(err)
			done = removed.Done
			is.Equal(len(w.MustReconcile()), 0) // counters are correct at every step
			w.Enroll(w.AddPerson(fmt.Sprintf("n%d@example.test", len(w.All().People))).ID, other.Course.ID, enrollment.Learner)
		}
		is.Equal(dependents(w.Tenant, l.Course.ID), course.Dependents{})
		removed, err := w.ContinueRemoval(l.Course.ID)
		is.NoErr(err)
		is.Equal(removed, ports.RemovedRecords{Done: true})
		is.Equal(w.PersonSummary(l.Learner.ID).CourseCount, int64(1))
		w.Save(l.Course) // with the same permalink and id
		is.Equal(w.CourseSummary(l.Course.ID).EnrollmentsCount, int64(0))
	})

	t.Run("ContinueRemoval ignores a course whose removal has not begun", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		l.StartLearning(w.Tenant)
		removed, err := w.ContinueRemoval(l.Course.ID)
		is.NoErr(err)
		is.Equal(removed, ports.RemovedRecords{Done: true})
		is.Equal(dependents(w.Tenant, l.Course.ID), learningDependents)
	})

	t.Run("Deleting a course deletes everything that belongs to it, and nothing else", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		shared := w.AddActivity(other.Course.ID, "Shared", activity.QuizContent(l.Quiz.ID)) // another course also uses the quiz
		l.StartLearning(w.Tenant)
		other.StartLearning(w.Tenant)
		w.Enroll(l.Learner.ID, other.Course.ID, enrollment.Learner)
		before, want, gone := w.All(), fixture.CloneAll(w.All()), l.Course.ID
		held := coursesHeld(w.Tenant)
		want.Courses = slices.DeleteFunc(want.Courses, func(c course.Summary) bool { return c.ID == gone })
		want.Enrollments = slices.DeleteFunc(want.Enrollments, func(e enrollment.Summary) bool { return e.Course == gone })
		want.Activities = slices.DeleteFunc(want.Activities, func(a activity.State) bool { return a.Course == gone })
		want.Submissions = slices.DeleteFunc(want.Submissions, func(s submission.Summary) bool { return s.Course == gone })
		want.Events = slices.DeleteFunc(want.Events, func(e event.Event) bool { return e.Activity == l.Text.ID })
		want.CourseAnalytics = slices.DeleteFunc(want.CourseAnalytics, func(r analytics.CourseProgress) bool { return r.Course == gone })
		want.QuizScores = slices.DeleteFunc(want.QuizScores, func(r analytics.QuizScore) bool { return r.Course == gone })
		want.RawAnswers = slices.DeleteFunc(want.RawAnswers, func(r analytics.RawAnswer) bool { return r.Course == gone })
		want.QuizAttempts = slices.DeleteFunc(want.QuizAttempts, func(r analytics.QuizAttempt) bool { return r.Course == gone })
		want.Completions = slices.DeleteFunc(want.Completions, func(c analytics.Completion) bool { return c.Course == gone })
		for i, p := range want.People {
			if p.ID == l.Learner.ID {
				want.People[i].CourseCount = 1 // only the other course is left
			}
		}
		for i, q := range want.Quizzes {
			if q.ID == l.Quiz.ID {
				want.Quizzes[i].Activities = []activity.ID{shared.ID}
			}
		}
		is.Equal(len(want.Activities)+len(want.Submissions)+len(want.Events), 5+2+2)
		is.True(slices.ContainsFunc(want.Quizzes, func(q quiz.Summary) bool { return q.ID == l.Quiz.ID }))

		is.NoErr(w.BeginRemoval(gone))
		is.Equal(fixture.Diff(w.All(), want), "") // before any record is removed
		inRemoval, exported := allPages(w.Tenant), w.Snapshot()
		for _, e := range w.EnrollmentsOf(l.Learner.ID) {
			is.Equal(e.Course, other.Course.ID)
		}
		mustHide(w.Tenant, before)
		submitted, err := w.FinishRemoval(gone, func() { is.Equal(fixture.Diff(w.All(), want), "") })
		is.NoErr(err)
		is.Equal(fixture.Diff(allPages(w.Tenant), inRemoval), "")
		is.Equal(fixture.Diff(w.Snapshot(), exported), "")
		is.Equal(len(submitted), 2)
		is.True(slices.IsSortedFunc(submitted, func(a, b submission.ID) int { return slices.Compare(a.UUID[:], b.UUID[:]) }))
		is.Equal(fixture.Diff(w.All(), want), "")
		is.Equal(len(w.MustReconcile()), 0)
		is.Equal(dependents(w.Tenant, gone), course.Dependents{})
		is.Equal(dependents(w.Tenant, other.Course.ID).QuizAttempts, learningDependents.QuizAttempts)
		is.Equal(coursesHeld(w.Tenant), held-1)

		w.Save(l.Course, l.Text, l.Enrollment) // add the course and the enrollment again
		_, err = w.Latest(l.Learner.ID, gone)
		is.True(fixture.IsNotFound(err))
		is.Equal(w.CourseSummary(gone).EnrollmentsCount, int64(1))
	})
}

// coursesHeld returns the total number of courses of all groups.
func coursesHeld(s fixture.Tenant) (n int) {
	s.T.Helper()
	for _, g := range s.All().Groups {
		n += len(s.CoursesOf(g.ID))
	}
	return n
}

func dependents(s fixture.Tenant, id course.ID) course.Dependents {
	s.T.Helper()
	n, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (course.Dependents, error) {
		return tx.Courses.CountDependents(ctx, id)
	})
	s.Must(err)
	return n
}

// allPages returns the results of PagesInAllOrders for every list, by the name of the list.
func allPages(s fixture.Tenant) map[string]any {
	s.T.Helper()
	all := map[string]any{}
	for _, c := range lists.Cases {
		all[c.List()] = c.PagesInAllOrders(s)
	}
	return all
}

// mustHide checks that records that have disappeared from lists cannot be found by id either.
func mustHide(s fixture.Tenant, before fixture.Everything) {
	s.T.Helper()
	is, r, now := is.New(s.T), s.Read(), s.All()
	same := func(found bool, err error) {
		s.T.Helper()
		is.True(found || fixture.IsNotFound(err))
		is.True(!found || err == nil)
	}
	for _, e := range before.Enrollments {
		_, err := r.Enrollments.Get(s.Context(), e.ID)
		same(slices.ContainsFunc(now.Enrollments, func(o enrollment.Summary) bool { return o.ID == e.ID }), err)
	}
	for _, a := range before.Activities {
		_, err := r.Activities.Get(s.Context(), a.ID)
		same(slices.ContainsFunc(now.Activities, func(o activity.State) bool { return o.ID == a.ID }), err)
	}
	for _, f := range before.Submissions {
		_, err := r.Submissions.Get(s.Context(), f.ID)
		same(slices.ContainsFunc(now.Submissions, func(o submission.Summary) bool { return o.ID == f.ID }), err)
	}
	for _, p := range now.People {
		is.Equal(fixture.Diff(s.PersonSummary(p.ID), p), "")
	}
	for _, q := range now.Quizzes {
		found, err := r.Quizzes.Get(s.Context(), q.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, q), "")
	}
}
