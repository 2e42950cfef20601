package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// startLearning adds learner data of each kind for two learners, then makes the second learner a
// manager of the course instead. It also adds the course to a group.
func (l courseFixture) startLearning(s tenant) {
	s.t.Helper()
	other := l.addLearner(s, "grace-"+l.course.Permalink+"@example.test")
	for _, in := range []attempt.State{l.attempt, other} {
		view := event.NewView(in.Person, l.text.ID)
		view.CreatedAt = s.nextTime()
		s.save(
			attempt.Completion{Attempt: in.ID, Activity: l.text.ID, At: s.nextTime()},
			attempt.Completion{Attempt: in.ID, Activity: l.video.ID, At: s.nextTime()},
			s.newQuizAttempt(in, l.quizActivity, l.quiz, 1, true, true, false), s.newQuizAttempt(in, l.quizActivity, l.quiz, 2, true),
			s.newSubmission(in, l.assignmentActivity), view,
		)
	}
	s.save(s.newAttempt(l.learner.ID, l.course.ID, 2))
	s.enroll(other.Person, l.course.ID, enrollment.Manager)
	s.unenroll(other.Person, enrollment.Learner, l.course.ID)
	g := s.addGroup("Of "+l.course.Permalink, l.course.ID)
	s.save(groupCourse{g.ID, s.addCourse("Other " + l.course.Permalink).ID})
	s.mustReconcile()
}

// learningDependents is the number of dependent records of a course fixture after startLearning.
var learningDependents = course.Dependents{
	Activities: 4, Enrollments: 1, Managers: 1, CourseAttempts: 3, Completions: 4, QuizAttempts: 4, Submissions: 2, Events: 2, Groups: 1,
}

// courseRemoval tests that removing a course deletes everything that belongs to it and nothing
// else.
func courseRemoval(t *testing.T, b Backend) {
	t.Run("CountDependents counts the dependent records of the course; none for an unknown course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		l.startLearning(w.tenant)
		other.startLearning(w.tenant)
		is.Equal(w.dependents(l.course.ID), learningDependents)
		is.Equal(w.dependents(w.addCourse("Empty").ID), course.Dependents{})
		is.Equal(w.dependents(w.newCourse("None").ID), course.Dependents{})
	})

	t.Run("LockExclusive returns NotFound for an unknown course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCourse("Drawing").ID
		closing := func(id course.ID) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.LockExclusive(ctx, id) })
		}
		is.NoErr(closing(c))
		is.True(isNotFound(closing(w.newCourse("None").ID)))
	})

	t.Run("BeginRemoval returns NotFound for an unknown course and for one that is being removed", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCourse("Drawing").ID
		is.True(isNotFound(w.beginRemoval(w.newCourse("None").ID)))
		is.NoErr(w.beginRemoval(c))
		is.True(isNotFound(w.beginRemoval(c)))
	})

	t.Run("A course that is being removed is not found", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design := w.addCategory("Design")
		l := newCourseFixture(w.tenant, "one")
		l.startLearning(w.tenant)
		part := w.addPartner(w.addPerson("alan@example.test").ID, person.Instructor)
		filed := w.addCourse("Filed", inCategories(design.ID), instructedBy(part.ID))
		is.NoErr(w.beginRemoval(filed.ID))
		is.NoErr(w.beginRemoval(l.course.ID))
		is.Equal(len(w.all().Courses), 1) // another course remains
		_, err := w.read().Courses.IDByPermalink(w.ctx(), l.course.Permalink)
		is.True(isNotFound(err))
		is.True(isNotFound(second(w.read().Courses.Get(w.ctx(), l.course.ID))))
		is.True(isNotFound(second(w.read().Structures.Get(w.ctx(), l.course.ID))))
		is.NoErr(w.try(func(ctx context.Context, tx ports.Tx) error {
			courses, err := tx.Courses.GetManyForShare(ctx, []course.ID{l.course.ID})
			is.Equal(len(courses), 0)
			activities, errActivities := tx.Activities.GetManyForShare(ctx, []activity.ID{l.text.ID})
			is.Equal(len(activities), 0)
			is.True(isNotFound(second(tx.Courses.GetForUpdate(ctx, l.course.ID))))
			is.True(isNotFound(second(tx.Structures.GetForUpdate(ctx, l.course.ID, nil, nil))))
			return errors.Join(err, errActivities)
		}))
		is.NoErr(w.deleteCategory(design.ID))
		is.NoErr(w.tryDeletePartnership(part.ID))
		again := w.newCourse("Again")
		again.Permalink = l.course.Permalink
		w.save(again) // the permalink is free
	})

	t.Run("ContinueRemoval removes records until none is left, with other writes in between", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		l.startLearning(w.tenant)
		for i := range 5 {
			l.addLearner(w.tenant, fmt.Sprintf("p%d@example.test", i))
		}
		w.enroll(l.learner.ID, other.course.ID, enrollment.Learner)
		is.NoErr(w.beginRemoval(l.course.ID))
		for done := false; !done; {
			removed, err := w.continueRemoval(l.course.ID)
			is.NoErr(err)
			done = removed.Done
			is.Equal(len(w.mustReconcile()), 0) // counters are correct at every step
			w.enroll(w.addPerson(fmt.Sprintf("n%d@example.test", len(w.all().People))).ID, other.course.ID, enrollment.Learner)
		}
		is.Equal(w.dependents(l.course.ID), course.Dependents{})
		removed, err := w.continueRemoval(l.course.ID)
		is.NoErr(err)
		is.Equal(removed, ports.RemovedRecords{Done: true})
		is.Equal(w.personSummary(l.learner.ID).CourseCount, int64(1))
		w.save(l.course) // with the same permalink and id
		is.Equal(w.courseSummary(l.course.ID).EnrollmentsCount, int64(0))
	})

	t.Run("ContinueRemoval ignores a course whose removal has not begun", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		l.startLearning(w.tenant)
		removed, err := w.continueRemoval(l.course.ID)
		is.NoErr(err)
		is.Equal(removed, ports.RemovedRecords{Done: true})
		is.Equal(w.dependents(l.course.ID), learningDependents)
	})

	t.Run("Deleting a course deletes everything that belongs to it, and nothing else", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		shared := w.addActivity(other.course.ID, "Shared", activity.QuizContent(l.quiz.ID)) // another course also uses the quiz
		l.startLearning(w.tenant)
		other.startLearning(w.tenant)
		w.enroll(l.learner.ID, other.course.ID, enrollment.Learner)
		before, want, gone := w.all(), cloneAll(w.all()), l.course.ID
		held := w.coursesHeld()
		want.Courses = slices.DeleteFunc(want.Courses, func(c course.Summary) bool { return c.ID == gone })
		want.Enrollments = slices.DeleteFunc(want.Enrollments, func(e enrollment.Summary) bool { return e.Course == gone })
		want.Activities = slices.DeleteFunc(want.Activities, func(a activity.State) bool { return a.Course == gone })
		want.Submissions = slices.DeleteFunc(want.Submissions, func(s submission.Summary) bool { return s.Course == gone })
		want.Events = slices.DeleteFunc(want.Events, func(e event.Event) bool { return e.Activity == l.text.ID })
		want.CourseAnalytics = slices.DeleteFunc(want.CourseAnalytics, func(r analytics.CourseProgress) bool { return r.Course == gone })
		want.QuizScores = slices.DeleteFunc(want.QuizScores, func(r analytics.QuizScore) bool { return r.Course == gone })
		want.RawAnswers = slices.DeleteFunc(want.RawAnswers, func(r analytics.RawAnswer) bool { return r.Course == gone })
		want.QuizAttempts = slices.DeleteFunc(want.QuizAttempts, func(r analytics.QuizAttempt) bool { return r.Course == gone })
		want.Completions = slices.DeleteFunc(want.Completions, func(c analytics.Completion) bool { return c.Course == gone })
		for i, p := range want.People {
			if p.ID == l.learner.ID {
				want.People[i].CourseCount = 1 // only the other course is left
			}
		}
		for i, q := range want.Quizzes {
			if q.ID == l.quiz.ID {
				want.Quizzes[i].Activities = []activity.ID{shared.ID}
			}
		}
		is.Equal(len(want.Activities)+len(want.Submissions)+len(want.Events), 5+2+2)
		is.True(slices.ContainsFunc(want.Quizzes, func(q quiz.Summary) bool { return q.ID == l.quiz.ID }))

		is.NoErr(w.beginRemoval(gone))
		is.Equal(diff(w.all(), want), "") // before any record is removed
		inRemoval, exported := w.allPages(), w.snapshot()
		for _, e := range w.enrollmentsOf(l.learner.ID) {
			is.Equal(e.Course, other.course.ID)
		}
		w.mustHide(before)
		submitted, err := w.finishRemoval(gone, func() { is.Equal(diff(w.all(), want), "") })
		is.NoErr(err)
		is.Equal(diff(w.allPages(), inRemoval), "")
		is.Equal(diff(w.snapshot(), exported), "")
		is.Equal(len(submitted), 2)
		is.True(slices.IsSortedFunc(submitted, func(a, b submission.ID) int { return slices.Compare(a.UUID[:], b.UUID[:]) }))
		is.Equal(diff(w.all(), want), "")
		is.Equal(len(w.mustReconcile()), 0)
		is.Equal(w.dependents(gone), course.Dependents{})
		is.Equal(w.dependents(other.course.ID).QuizAttempts, learningDependents.QuizAttempts)
		is.Equal(w.coursesHeld(), held-1)

		w.save(l.course, l.text, l.enrollment) // add the course and the enrollment again
		_, err = w.latest(l.learner.ID, gone)
		is.True(isNotFound(err))
		is.Equal(w.courseSummary(gone).EnrollmentsCount, int64(1))
	})
}

// coursesHeld returns the total number of courses of all groups.
func (s tenant) coursesHeld() (n int) {
	s.t.Helper()
	for _, g := range s.all().Groups {
		n += len(s.coursesOf(g.ID))
	}
	return n
}

func (s tenant) dependents(id course.ID) course.Dependents {
	s.t.Helper()
	n, err := inTx(s, func(ctx context.Context, tx ports.Tx) (course.Dependents, error) {
		return tx.Courses.CountDependents(ctx, id)
	})
	s.must(err)
	return n
}

// deleteCourse deletes a course with everything that belongs to it, as use cases do, and returns
// the ids of its submissions, sorted.
func (s tenant) deleteCourse(id course.ID) ([]submission.ID, error) {
	if err := s.beginRemoval(id); err != nil {
		return nil, err
	}
	return s.finishRemoval(id, func() {})
}

// finishRemoval deletes the remaining records of a course and returns the ids of its submissions,
// sorted. It calls look after each step except the last.
func (s tenant) finishRemoval(id course.ID, look func()) ([]submission.ID, error) {
	var submitted []submission.ID
	for {
		removed, err := s.continueRemoval(id)
		if submitted = append(submitted, removed.Submissions...); err != nil || removed.Done {
			slices.SortFunc(submitted, func(a, b submission.ID) int { return bytes.Compare(a.UUID[:], b.UUID[:]) })
			return submitted, err
		}
		look()
	}
}

// allPages returns the results of pagesInAllOrders for every list, by the name of the list.
func (s tenant) allPages() map[string]any {
	s.t.Helper()
	all := map[string]any{}
	for _, c := range listCases {
		all[c.list()] = c.pagesInAllOrders(s)
	}
	return all
}

// pagesInAllOrders returns the results of many queries: pages in each order of the list, lists
// filtered by numbers, booleans and missing references, and a search.
func (c *listCase[T]) pagesInAllOrders(s tenant) any {
	s.t.Helper()
	var queries []query.Query
	for _, attr := range ordered(c.schema) {
		for _, desc := range []bool{false, true} {
			sort := []query.Order{{Attr: attr, Desc: desc}}
			for _, page := range []query.Page{query.AllRows(), query.NewPage(1, 1), query.NewPage(2, 1), query.NewPage(3, 2)} {
				queries = append(queries, query.Query{Sort: sort, Page: page})
			}
		}
	}
	for _, attr := range c.schema.Attrs() {
		for _, v := range []query.Value{{Int: 0}, {Int: 1}, {Int: 2, Bool: true}} {
			if attr.Kind == query.Integer || attr.Kind == query.Boolean {
				where := query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{v}}
				queries = append(queries, query.Query{Where: query.And{query.Or{where}}, Sort: c.schema.Default(), Page: query.AllRows()})
			}
			if attr.Kind == query.UUIDs {
				where := query.Cond{Attr: attr, Op: query.Null, Values: []query.Value{v}}
				queries = append(queries, query.Query{Where: where, Page: query.AllRows()})
			}
		}
	}
	searched, err := query.Build(c.schema, query.Request{Search: "e"})
	s.must(err)
	var pages []query.Result[T]
	for _, q := range append(queries, searched) {
		found, err := c.of(s.read()).List(s.ctx(), q)
		s.must(err)
		pages = append(pages, found)
	}
	return pages
}

// mustHide checks that records that have disappeared from lists cannot be found by id either.
func (s tenant) mustHide(before everything) {
	s.t.Helper()
	is, r, now := is.New(s.t), s.read(), s.all()
	same := func(found bool, err error) {
		s.t.Helper()
		is.True(found || isNotFound(err))
		is.True(!found || err == nil)
	}
	for _, e := range before.Enrollments {
		_, err := r.Enrollments.Get(s.ctx(), e.ID)
		same(slices.ContainsFunc(now.Enrollments, func(o enrollment.Summary) bool { return o.ID == e.ID }), err)
	}
	for _, a := range before.Activities {
		_, err := r.Activities.Get(s.ctx(), a.ID)
		same(slices.ContainsFunc(now.Activities, func(o activity.State) bool { return o.ID == a.ID }), err)
	}
	for _, f := range before.Submissions {
		_, err := r.Submissions.Get(s.ctx(), f.ID)
		same(slices.ContainsFunc(now.Submissions, func(o submission.Summary) bool { return o.ID == f.ID }), err)
	}
	for _, p := range now.People {
		is.Equal(diff(s.personSummary(p.ID), p), "")
	}
	for _, q := range now.Quizzes {
		found, err := r.Quizzes.Get(s.ctx(), q.ID)
		is.NoErr(err)
		is.Equal(diff(found, q), "")
	}
}

// beginRemoval begins the removal of a course.
func (s tenant) beginRemoval(id course.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.BeginRemoval(ctx, id, s.nextTime()) })
}

// continueRemoval calls ContinueRemoval with a limit of one person.
func (s tenant) continueRemoval(id course.ID) (ports.RemovedRecords, error) {
	return inTx(s, func(ctx context.Context, tx ports.Tx) (ports.RemovedRecords, error) {
		return tx.Courses.ContinueRemoval(ctx, id, 1)
	})
}
