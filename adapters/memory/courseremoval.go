package memory

import (
	"context"
	"slices"
	"time"

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
	for _, c := range slices.Collect(filter(s.courses.table.byID.from(0), instructedBy(id))) {
		err := s.courses.own(s.version).update(c.Row.ID.UUID, func(row *course.Summary) {
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
		Activities:  int64(activitiesIn(s, id).length()),
		Submissions: int64(s.submissions.table.rows.within("course.id", id.UUID).length()),
		Groups:      int64(len(holdings(s, id))),
	}
	for e := range s.enrollments.table.rows.within("course.id", id.UUID).from(0) {
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
	for a := range activitiesIn(s, id).from(0) {
		n.Events += int64(s.feed.table.rows.within("activity.id", a.Row.ID.UUID).length())
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
	s.removals.own(s.version).set(id.UUID, gone)
	return s.courses.own(s.version).remove(id.UUID)
}

// ContinueRemoval implements ports.CourseRepo.
func (r courses) ContinueRemoval(ctx context.Context, id course.ID, _ int) (ports.Removed, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return ports.Removed{}, err
	}
	gone, ok := s.removals.table.get(id.UUID)
	if ok {
		s.removals.own(s.version).remove(id.UUID)
	}
	return ports.Removed{Submissions: gone, Done: true}, nil
}

func (r activities) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range slices.Collect(activitiesIn(s, c).from(0)) {
		if err := s.activities.own(s.version).remove(a.Row.ID.UUID); err != nil {
			return err
		}
		if a.Row.Content.Quiz == (quiz.ID{}) {
			continue
		}
		err := s.quizzes.own(s.version).update(a.Row.Content.Quiz.UUID, func(q *quiz.Summary) {
			q.Activities = slices.DeleteFunc(slices.Clone(q.Activities), func(other activity.ID) bool { return other == a.Row.ID })
		})
		if err != nil {
			return err
		}
	}
	return nil
}
