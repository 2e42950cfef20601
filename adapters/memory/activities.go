package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var _ ports.ActivityRepo = activities{}

var activityKind = ordered.Kind[activity.State]{
	Name:   activity.Type,
	Schema: activity.Schema,
	ID:     func(a *activity.State) uuid.UUID { return a.ID.UUID },
	Clone: func(a activity.State) activity.State {
		a.ArchivedAt = tables.ClonePointer(a.ArchivedAt)
		return a
	},
	Sections: []ordered.Section[*query.Record[activity.State]]{
		{Attr: "course.id", ID: func(a *query.Record[activity.State]) uuid.UUID { return a.Row.Course.UUID }},
		{Attr: "assignment", ID: func(a *query.Record[activity.State]) uuid.UUID { return a.Row.Content.Assignment.UUID }},
	},
}

// activitiesIn returns the activities of a course.
func activitiesIn(s *state, id course.ID) ordered.Span[*query.Record[activity.State]] {
	return s.activities.table.Rows.Within("course.id", id.UUID)
}

var activityEntity = entity[activity.ID, activity.State, activity.Activity]{
	table:   func(s *state) *versioned[*ordered.Table[activity.State]] { return &s.activities },
	restore: func(row activity.State) activity.Activity { return activity.Restore(row.WithoutText()) },
	write:   func(row *activity.State, a activity.Activity) { *row = a.State() },
}

// activityReader reads activities. Its lists leave out the texts.
type activityReader struct {
	tableReader[activity.ID, activity.State]
}

// List implements ports.Lister.
func (r activityReader) List(ctx context.Context, q query.Query) (query.Result[activity.State], error) {
	page, err := r.tableReader.List(ctx, q)
	for i, a := range page.Items {
		page.Items[i] = a.WithoutText()
	}
	return page, err
}

type activities struct {
	entityRepo[activity.ID, activity.State, activity.Activity]
}

// List implements ports.Lister.
func (r activities) List(ctx context.Context, q query.Query) (query.Result[activity.State], error) {
	return activityReader{r.tableReader}.List(ctx, q)
}

// ByAssignment implements ports.ActivityRepo.
func (r activities) ByAssignment(ctx context.Context, id assignment.ID) ([]activity.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var ids []activity.ID
	for a := range s.activities.table.Rows.Within("assignment", id.UUID).From(0) {
		ids = append(ids, a.Row.ID)
	}
	ordered.SortIDs(ids)
	return ids, nil
}

// add inserts a new activity with its text. It returns an error if the course, quiz or assignment
// does not exist, or if the course already has an activity with the key.
func (r activities) add(ctx context.Context, a activity.Activity) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := a.State()
	if !s.courses.table.Has(row.Course.UUID) {
		return fmt.Errorf("memory: the activity %s references the unknown course %s", row.ID, row.Course)
	}
	about, task := row.Content.Quiz, row.Content.Assignment
	if about.UUID != uuid.Nil && !s.quizzes.table.Has(about.UUID) {
		return fmt.Errorf("memory: the activity %s references the unknown quiz %s", row.ID, about)
	}
	if task.UUID != uuid.Nil && !s.assignments.table.Has(task.UUID) {
		return fmt.Errorf("memory: the activity %s references the unknown assignment %s", row.ID, task)
	}
	for other := range activitiesIn(s, row.Course).From(0) {
		if other.Row.Key == row.Key {
			return fmt.Errorf("memory: the activity %s has the key %q: %w", other.Row.ID, row.Key, ports.ErrExists)
		}
	}
	if err := r.entityRepo.Add(ctx, a); err != nil {
		return err
	}
	return s.linkQuiz(row, true)
}

// linkQuiz adds the activity a to the activities of its quiz or, if linked is false, removes it. It
// does nothing for an activity without a quiz.
func (s *state) linkQuiz(a activity.State, linked bool) error {
	if a.Content.Quiz.UUID == uuid.Nil {
		return nil
	}
	return s.quizzes.writable(s.version).Update(a.Content.Quiz.UUID, func(q *quiz.Summary) {
		ids := slices.DeleteFunc(slices.Clone(q.Activities), func(id activity.ID) bool { return id == a.ID })
		if linked {
			ids = append(ids, a.ID)
		}
		ordered.SortIDs(ids)
		q.Activities = ids
	})
}
