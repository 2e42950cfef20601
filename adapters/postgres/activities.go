package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.ActivityRepo = activityRepo{}

type activityRow struct {
	ID         uuid.UUID     `db:"id"`
	Course     uuid.UUID     `db:"course_id"`
	Key        string        `db:"key"`
	Position   int           `db:"position"`
	Title      string        `db:"title"`
	Kind       string        `db:"kind"`
	Quiz       uuid.NullUUID `db:"quiz_id"`
	Assignment uuid.NullUUID `db:"assignment_id"`
	Seconds    int64         `db:"seconds"`
	ArchivedAt *time.Time    `db:"archived_at"`
	CreatedAt  time.Time     `db:"created_at"`
	UpdatedAt  time.Time     `db:"updated_at"`
}

func (r activityRow) state() (activity.State, error) {
	kind, err := activity.ParseKind(r.Kind)
	if err != nil {
		return activity.State{}, pgdb.Corrupt(activity.Type, r.ID, err)
	}
	return activity.State{
		ID: activity.ID{UUID: r.ID}, Course: course.ID{UUID: r.Course},
		Place: activity.Place{Key: r.Key, Position: r.Position}, Title: r.Title,
		Content: activity.Content{
			Kind: kind, Quiz: quiz.ID{UUID: r.Quiz.UUID}, Assignment: assignment.ID{UUID: r.Assignment.UUID},
			Length: time.Duration(r.Seconds) * time.Second,
		},
		ArchivedAt: pgdb.Utc(r.ArchivedAt), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

const activityColumns = `r.id, r.course_id, r.key, r.position, r.title, r.kind, r.quiz_id, r.assignment_id,
	r.seconds, r.archived_at, r.created_at, r.updated_at`

var activityList = listsql.List[activityRow, activity.State]{
	Table:   "activities",
	Columns: activityColumns,
	Attrs: listsql.WithDerived(activity.Schema.Attrs(), map[string]listsql.Column{
		"uuid":        {Expr: "r.id"},
		"title":       listsql.TextColumn("title"),
		"course.id":   {Expr: "r.course_id"},
		"archived_at": {Expr: "r.archived_at"},
		"created_at":  {Expr: "r.created_at"},
	}),
	Sort:    activity.Schema.Default(),
	Convert: activityRow.state,
	Removal: ofRemovedCourse,
}

type activityReader struct{ *session }

// List returns a page of activities.
func (c activityReader) List(ctx context.Context, q query.Query) (query.Result[activity.State], error) {
	return activityList.Page(ctx, c.session, q)
}

// Get returns the activity id.
func (c activityReader) Get(ctx context.Context, id activity.ID) (activity.State, error) {
	return activityList.One(ctx, c.session, id.UUID)
}

type activityRepo struct{ activityReader }

const (
	// Who changes the structure of a course holds the course alone. It is waited
	// for first, so that the next statement sees what it has made of the activities.
	holdStructures = `SELECT c.id FROM courses c WHERE c.school_id = $1 AND c.id IN (
			SELECT r.course_id FROM activities r WHERE r.school_id = $1 AND r.id = ANY ($2::uuid[]))
		ORDER BY c.id FOR KEY SHARE`
	loadActivities = `SELECT ` + activityColumns + `
		FROM activities r WHERE r.school_id = $1 AND r.id = ANY ($2::uuid[])
			AND EXISTS (SELECT FROM courses c WHERE c.school_id = $1 AND c.id = r.course_id)
		ORDER BY r.id FOR KEY SHARE OF r`
	activitiesOfAssignment = `
		SELECT a.id FROM activities a JOIN courses c ON c.school_id = $1 AND c.id = a.course_id
		WHERE a.school_id = $1 AND a.assignment_id = $2 ORDER BY a.id`
	addActivity = `
		INSERT INTO activities (school_id, id, course_id, key, position, title, title_fold, kind, quiz_id, assignment_id,
			seconds, archived_at, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`
	removeActivitiesOf = `DELETE FROM activities WHERE school_id = $1 AND course_id = $2`
)

// Load returns the activities ids and locks them against removal, and the
// structures of their courses against change.
func (c activityRepo) Load(ctx context.Context, ids []activity.ID) (map[activity.ID]activity.Activity, error) {
	wanted := pq.Array(pgdb.IDStrings(ids))
	if _, err := c.Exec(ctx, holdStructures, c.SchoolID, wanted); err != nil {
		return nil, err
	}
	var rows []activityRow
	if err := c.SelectRows(ctx, &rows, loadActivities, c.SchoolID, wanted); err != nil {
		return nil, err
	}
	found := make(map[activity.ID]activity.Activity, len(rows))
	for _, r := range rows {
		s, err := r.state()
		if err != nil {
			return nil, err
		}
		found[s.ID] = activity.Restore(s)
	}
	return found, nil
}

// OfAssignment returns the activities in which an assignment stands.
func (c activityRepo) OfAssignment(ctx context.Context, id assignment.ID) ([]activity.ID, error) {
	ids := []activity.ID{}
	err := c.SelectRows(ctx, &ids, activitiesOfAssignment, c.SchoolID, id.UUID)
	return ids, err
}

// Add keeps a new activity.
func (c activityRepo) Add(ctx context.Context, a activity.Activity) error {
	_, err := c.Exec(ctx, addActivity, c.activityArgs(a.State())...)
	return err
}

// activityArgs returns the columns of an activity.
func (c *session) activityArgs(s activity.State) []any {
	return []any{
		c.SchoolID, s.ID.UUID, s.Course.UUID, s.Key, s.Position, s.Title, text.Fold(s.Title), s.Content.Kind.String(),
		optional(s.Content.Quiz.UUID), optional(s.Content.Assignment.UUID), int64(s.Content.Length / time.Second),
		s.ArchivedAt, s.CreatedAt, s.UpdatedAt,
	}
}

// optional returns id as a column that is null where there is none.
func optional(id uuid.UUID) uuid.NullUUID { return uuid.NullUUID{UUID: id, Valid: id != uuid.Nil} }
