package memory

import (
	"context"
	"slices"
	"time"

	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

// CountDependents implements ports.CourseRepo.
func (r courses) CountDependents(ctx context.Context, id course.ID) (course.Dependents, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return course.Dependents{}, err
	}
	n := course.Dependents{
		Activities:  int64(activitiesIn(s, id).Length()),
		Submissions: int64(s.submissions.table.Rows.Within("course.id", id.UUID).Length()),
		Groups:      int64(len(groupsOfCourse(s, id))),
	}
	for e := range s.enrollments.table.Rows.Within("course.id", id.UUID).From(0) {
		if e.Learner {
			n.Enrollments++
		} else {
			n.Managers++
		}
	}
	for a := range s.attempts.table.OfCourse(id) {
		n.CourseAttempts++
		for range s.attempts.table.Completions(a.ID) {
			n.Completions++
		}
	}
	for range s.quizAttempts.table.OfCourse(id) {
		n.QuizAttempts++
	}
	for a := range activitiesIn(s, id).From(0) {
		n.Events += int64(s.feed.table.rows.Within("activity.id", a.Row.ID.UUID).Length())
	}
	return n, nil
}

// LockExclusive implements ports.CourseRepo. There is nothing to lock: one transaction of a
// school runs at a time.
func (r courses) LockExclusive(ctx context.Context, id course.ID) error {
	_, err := r.Get(ctx, id)
	return err
}

// BeginRemoval implements ports.CourseRepo. It removes everything at once, because that takes
// little time in memory.
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
		enrollments{enrollmentsIn(r.tx), r.tx}.removeOfCourse,
		attempts{tx: r.tx}.removeOfCourse,
		activities{activityEntity.repo(r.tx)}.removeOfCourse,
		groups{groupEntity.repo(r.tx)}.detachCourse,
	} {
		if err := remove(ctx, id); err != nil {
			return err
		}
	}
	s := r.tx.state
	s.removals.writable(s.version).Set(id.UUID, gone)
	return s.courses.writable(s.version).Remove(id.UUID)
}

// ContinueRemoval implements ports.CourseRepo.
func (r courses) ContinueRemoval(ctx context.Context, id course.ID, _ int) (ports.RemovedRecords, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return ports.RemovedRecords{}, err
	}
	gone, ok := s.removals.table.Get(id.UUID)
	if ok {
		s.removals.writable(s.version).Remove(id.UUID)
	}
	return ports.RemovedRecords{Submissions: gone, Done: true}, nil
}

func (r activities) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range slices.Collect(activitiesIn(s, c).From(0)) {
		if err := s.activities.writable(s.version).Remove(a.Row.ID.UUID); err != nil {
			return err
		}
		if a.Row.Content.Quiz == (quiz.ID{}) {
			continue
		}
		err := s.quizzes.writable(s.version).Update(a.Row.Content.Quiz.UUID, func(q *quiz.Summary) {
			q.Activities = without(q.Activities, a.Row.ID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
