package memory

import (
	"context"
	"slices"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

func (r courses) DetachInstructor(ctx context.Context, id person.PartnershipID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, c := range slices.Collect(ordered.Filter(s.courses.table.ByID.From(0), instructedBy(id))) {
		err := s.courses.own(s.version).Update(c.Row.ID.UUID, func(row *course.Summary) {
			row.Instructors = slices.DeleteFunc(slices.Clone(row.Instructors), func(other person.PartnershipID) bool { return other == id })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// instructedBy tells of a course whether the partnership is one of its
// instructors.
func instructedBy(id person.PartnershipID) func(*query.Record[course.Summary]) bool {
	return func(c *query.Record[course.Summary]) bool { return slices.Contains(c.Row.Instructors, id) }
}

func (r courses) Contents(ctx context.Context, id course.ID) (course.Contents, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return course.Contents{}, err
	}
	n := course.Contents{
		Activities:  int64(activitiesIn(s, id).Length()),
		Submissions: int64(s.submissions.table.rows.Within("course.id", id.UUID).Length()),
		Groups:      int64(len(holdings(s, id))),
	}
	for e := range s.enrollments.table.rows.Within("course.id", id.UUID).From(0) {
		if e.Role == enrollment.Learner {
			n.Enrollments++
		} else {
			n.Managers++
		}
	}
	for a := range s.attempts.table.at(id) {
		n.CourseAttempts++
		for range s.attempts.table.completions(a.ID) {
			n.Completions++
		}
	}
	for range s.quizAttempts.table.in(id) {
		n.QuizAttempts++
	}
	for a := range activitiesIn(s, id).From(0) {
		n.Events += int64(s.feed.table.rows.Within("activity.id", a.Row.ID.UUID).Length())
	}
	return n, nil
}

// LockExclusive implements ports.CourseRepo. Transactions of a school run one after
// the other, so there is nothing to lock.
func (r courses) LockExclusive(ctx context.Context, id course.ID) error {
	_, err := r.Get(ctx, id)
	return err
}

// BeginRemoval implements ports.CourseRepo. It removes everything: no other
// transaction runs in the meantime.
func (r courses) BeginRemoval(ctx context.Context, id course.ID, _ time.Time) error {
	if err := r.LockExclusive(ctx, id); err != nil {
		return err
	}
	gone, err := submissions{tx: r.tx}.removeOfCourse(ctx, id)
	if err != nil {
		return err
	}
	for _, remove := range []func(context.Context, course.ID) error{
		events{tx: r.tx}.removeOfCourse,
		quizAttempts{tx: r.tx}.removeOfCourse,
		enrollments{tx: r.tx}.removeOfCourse,
		attempts{tx: r.tx}.removeOfCourse,
		activities{tx: r.tx}.removeOfCourse,
		groups{tx: r.tx}.detachCourse,
	} {
		if err := remove(ctx, id); err != nil {
			return err
		}
	}
	s := r.tx.state
	s.removals.own(s.version).Set(id.UUID, gone)
	return s.courses.own(s.version).Remove(id.UUID)
}

// ContinueRemoval implements ports.CourseRepo.
func (r courses) ContinueRemoval(ctx context.Context, id course.ID, _ int) (ports.Removed, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return ports.Removed{}, err
	}
	gone, ok := s.removals.table.Get(id.UUID)
	if ok {
		s.removals.own(s.version).Remove(id.UUID)
	}
	return ports.Removed{Submissions: gone, Done: true}, nil
}

func (r activities) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range slices.Collect(activitiesIn(s, c).From(0)) {
		if err := s.activities.own(s.version).Remove(a.Row.ID.UUID); err != nil {
			return err
		}
		if a.Row.Content.Quiz == (quiz.ID{}) {
			continue
		}
		err := s.quizzes.own(s.version).Update(a.Row.Content.Quiz.UUID, func(q *quiz.Summary) {
			q.Activities = slices.DeleteFunc(slices.Clone(q.Activities), func(other activity.ID) bool { return other == a.Row.ID })
		})
		if err != nil {
			return err
		}
	}
	return nil
}
