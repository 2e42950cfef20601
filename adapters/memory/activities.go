package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var (
	_ ports.ActivityReader = activityReader{}
	_ ports.ActivityRepo   = activities{}
)

var activityKind = ordered.Kind[activity.State]{
	Name:   activity.Type,
	Schema: activity.Schema,
	ID:     func(a *activity.State) uuid.UUID { return a.ID.UUID },
	Clone: func(a activity.State) activity.State {
		a.ArchivedAt = clonePointer(a.ArchivedAt)
		return a
	},
	Sections: []ordered.Section[*query.Record[activity.State]]{
		{Attr: "course.id", ID: func(a *query.Record[activity.State]) uuid.UUID { return a.Row.Course.UUID }},
		{Attr: "assignment.id", ID: func(a *query.Record[activity.State]) uuid.UUID { return a.Row.Content.Assignment.UUID }},
	},
}

// activitiesIn returns the activities of a course.
func activitiesIn(s *state, id course.ID) ordered.Span[*query.Record[activity.State]] {
	return s.activities.table.Rows.Within("course.id", id.UUID)
}

type activityReader struct{ view view }

func (r activityReader) List(ctx context.Context, q query.Query) (query.Result[activity.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[activity.State]{}, err
	}
	return s.activities.table.List(ctx, q)
}

func (r activityReader) Get(ctx context.Context, id activity.ID) (activity.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return activity.State{}, err
	}
	return s.activities.table.Get(id.UUID)
}

type activities struct {
	activityReader
	tx *tx
}

func (r activities) Load(ctx context.Context, ids []activity.ID) (map[activity.ID]activity.Activity, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.activities.table, ids, activity.Restore), nil
}

func (r activities) OfAssignment(ctx context.Context, id assignment.ID) ([]activity.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var ids []activity.ID
	for a := range s.activities.table.Rows.Within("assignment.id", id.UUID).From(0) {
		ids = append(ids, a.Row.ID)
	}
	slices.SortFunc(ids, func(a, b activity.ID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
	return ids, nil
}

func (r activities) Add(ctx context.Context, a activity.Activity) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := a.State()
	if !s.courses.table.Has(row.Course.UUID) {
		return fmt.Errorf("memory: the activity %s names the unknown course %s", row.ID, row.Course)
	}
	about, task := row.Content.Quiz, row.Content.Assignment
	if about.UUID != uuid.Nil && !s.quizzes.table.Has(about.UUID) {
		return fmt.Errorf("memory: the activity %s names the unknown quiz %s", row.ID, about)
	}
	if task.UUID != uuid.Nil && !s.assignments.table.Has(task.UUID) {
		return fmt.Errorf("memory: the activity %s names the unknown assignment %s", row.ID, task)
	}
	for other := range activitiesIn(s, row.Course).From(0) {
		if other.Row.Key == row.Key {
			return fmt.Errorf("memory: the activity %s has the key %q: %w", other.Row.ID, row.Key, ports.ErrKnown)
		}
	}
	if err := s.activities.own(s.version).Insert(row); err != nil {
		return err
	}
	return s.stand(row, true)
}

// stand notes in the quiz of an activity, if it has one, that it stands there,
// or no more.
func (s *state) stand(a activity.State, stands bool) error {
	if a.Content.Quiz.UUID == uuid.Nil {
		return nil
	}
	return s.quizzes.own(s.version).Update(a.Content.Quiz.UUID, func(q *quiz.Summary) {
		ids := slices.DeleteFunc(slices.Clone(q.Activities), func(id activity.ID) bool { return id == a.ID })
		if stands {
			ids = append(ids, a.ID)
		}
		slices.SortFunc(ids, func(a, b activity.ID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
		q.Activities = ids
	})
}
