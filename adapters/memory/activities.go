package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var (
	_ ports.ActivityReader = activityReader{}
	_ ports.ActivityRepo   = activities{}
)

var activityKind = kind[activity.State]{
	name:   activity.Type,
	schema: activity.Schema,
	id:     func(a *activity.State) uuid.UUID { return a.ID.UUID },
	clone:  func(a activity.State) activity.State { return a },
	sections: []section[*query.Record[activity.State]]{
		{"course.id", func(a *query.Record[activity.State]) uuid.UUID { return a.Row.Course.UUID }},
	},
}

// activitiesIn returns the activities of a course.
func activitiesIn(s *state, id course.ID) span[*query.Record[activity.State]] {
	return s.activities.table.rows.within("course.id", id.UUID)
}

type activityReader struct{ view view }

func (r activityReader) List(ctx context.Context, q query.Query) (query.Result[activity.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[activity.State]{}, err
	}
	return s.activities.table.list(ctx, q)
}

func (r activityReader) Get(ctx context.Context, id activity.ID) (activity.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return activity.State{}, err
	}
	return s.activities.table.get(id.UUID)
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
	return load(s.activities.table, ids, activity.Restore), nil
}

func (r activities) Add(ctx context.Context, a activity.Activity) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := a.State()
	if !s.courses.table.has(row.Course.UUID) {
		return fmt.Errorf("memory: the activity %s names the unknown course %s", row.ID, row.Course)
	}
	about, task := row.Content.Quiz, row.Content.Assignment
	if about.UUID != uuid.Nil && !s.quizzes.table.has(about.UUID) {
		return fmt.Errorf("memory: the activity %s names the unknown quiz %s", row.ID, about)
	}
	if task.UUID != uuid.Nil && !s.assignments.table.has(task.UUID) {
		return fmt.Errorf("memory: the activity %s names the unknown assignment %s", row.ID, task)
	}
	if err := s.activities.own(s.version).insert(row); err != nil || about.UUID == uuid.Nil {
		return err
	}
	return s.quizzes.own(s.version).update(about.UUID, func(q *quiz.Summary) {
		ids := append(slices.Clone(q.Activities), row.ID)
		slices.SortFunc(ids, func(a, b activity.ID) int { return compareIDs(a.UUID, b.UUID) })
		q.Activities = ids
	})
}
