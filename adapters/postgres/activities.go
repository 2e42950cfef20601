package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
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
	VideoURL   string        `db:"video_url"`
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
		Slot: activity.Slot{Key: r.Key, Position: r.Position}, Title: r.Title,
		Content: activity.Content{
			Kind: kind, Quiz: quiz.ID{UUID: r.Quiz.UUID}, Assignment: assignment.ID{UUID: r.Assignment.UUID},
			Duration: time.Duration(r.Seconds) * time.Second, VideoURL: r.VideoURL,
		},
		ArchivedAt: pgdb.UTC(r.ArchivedAt), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

// A wholeActivityRow is an activity with its text, which lists do not read.
type wholeActivityRow struct {
	activityRow
	Text string `db:"text"`
}

func (r wholeActivityRow) state() (activity.State, error) {
	s, err := r.activityRow.state()
	s.Content.Text = r.Text
	return s, err
}

var (
	activityColumns      = listsql.RowColumns[activityRow]()
	wholeActivityColumns = listsql.RowColumns[wholeActivityRow]()
)

var activityList = listsql.New(listsql.Definition{
	Table:   "activities",
	Columns: activityColumns,
	Attrs: listsql.WithDerived(activity.Schema.Attrs(), map[string]listsql.Column{
		"uuid":          {Expr: "r.id"},
		"title":         listsql.TextColumn("title"),
		"course.id":     {Expr: "r.course_id"},
		"quiz.id":       {Expr: "r.quiz_id"},
		"assignment.id": {Expr: "r.assignment_id"},
		"archived_at":   {Expr: "r.archived_at"},
		"position":      {Expr: "r.position"},
		"created_at":    {Expr: "r.created_at"},
	}),
	Sort:    activity.Schema.Default(),
	Removal: listsql.HideRemovedCourses,
}, activityRow.state)

type activityReader struct {
	lister[activityRow, activity.State]
}

func newActivityReader(c *session) activityReader {
	return activityReader{newLister(c, activityList)}
}

// Get implements ports.ActivityReader.
func (r activityReader) Get(ctx context.Context, id activity.ID) (activity.State, error) {
	return getOne(ctx, r.session, wholeActivityRow.state, getActivity, r.session.SchoolID, id.UUID)
}

var activityTable = newTable("activities", []column[activity.State]{
	{"id", "uuid", func(s activity.State) any { return s.ID.UUID }},
	{"course_id", "uuid", func(s activity.State) any { return s.Course.UUID }},
	{"key", "text", func(s activity.State) any { return s.Key }},
	{"position", "integer", func(s activity.State) any { return s.Position }},
	{"title", "text", func(s activity.State) any { return s.Title }},
	{"title_fold", "text", func(s activity.State) any { return text.Fold(s.Title) }},
	{"kind", "text", func(s activity.State) any { return s.Content.Kind.String() }},
	{"quiz_id", "uuid", func(s activity.State) any { return optional(s.Content.Quiz.UUID) }},
	{"assignment_id", "uuid", func(s activity.State) any { return optional(s.Content.Assignment.UUID) }},
	{"seconds", "integer", func(s activity.State) any { return int64(s.Content.Duration / time.Second) }},
	{"video_url", "text", func(s activity.State) any { return s.Content.VideoURL }},
	{"text", "text", func(s activity.State) any { return s.Content.Text }},
	{"archived_at", "timestamptz", func(s activity.State) any { return s.ArchivedAt }},
	{"created_at", "timestamptz", func(s activity.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s activity.State) any { return s.UpdatedAt }},
})

// optional returns id as a value that is null for the zero id.
func optional(id uuid.UUID) uuid.NullUUID { return uuid.NullUUID{UUID: id, Valid: id != uuid.Nil} }

type activityRepo struct{ activityReader }

const (
	// A transaction that changes the structure locks the course exclusively. shareStructures waits
	// for such a transaction, so that the next statement sees the changed activities.
	shareStructures = `SELECT c.id FROM courses c WHERE c.school_id = $1 AND c.id IN (
			SELECT r.course_id FROM activities r WHERE r.school_id = $1 AND r.id = ANY ($2::uuid[]))
		ORDER BY c.id FOR KEY SHARE`
	activitiesOfAssignment = `
		SELECT a.id FROM activities a JOIN courses c ON c.school_id = $1 AND c.id = a.course_id
		WHERE a.school_id = $1 AND a.assignment_id = $2 ORDER BY a.id`
	deleteActivitiesOf = `DELETE FROM activities WHERE school_id = $1 AND course_id = $2`
)

var getActivity = `SELECT ` + wholeActivityColumns + `
	FROM activities r WHERE r.school_id = $1 AND r.id = $2
		AND EXISTS (SELECT FROM courses c WHERE c.school_id = $1 AND c.id = r.course_id)`

var getActivities = `SELECT ` + activityColumns + `
	FROM activities r WHERE r.school_id = $1 AND r.id = ANY ($2::uuid[])
		AND EXISTS (SELECT FROM courses c WHERE c.school_id = $1 AND c.id = r.course_id)
	ORDER BY r.id FOR KEY SHARE OF r`

// GetManyForShare implements ports.ActivityRepo.
func (r activityRepo) GetManyForShare(ctx context.Context, ids []activity.ID) (map[activity.ID]activity.Activity, error) {
	if err := r.session.write(ctx, shareStructures, r.session.SchoolID, idArray(ids)); err != nil {
		return nil, err
	}
	restore := func(row activityRow) (activity.Activity, error) {
		s, err := row.state()
		return activity.Restore(s), err
	}
	key := func(a activity.Activity) activity.ID { return a.State().ID }
	return getMap(ctx, r.session, 0, restore, key, getActivities, r.session.SchoolID, idArray(ids))
}

// ByAssignment implements ports.ActivityRepo.
func (r activityRepo) ByAssignment(ctx context.Context, id assignment.ID) ([]activity.ID, error) {
	return getIDs[activity.ID](ctx, r.session, activitiesOfAssignment, r.session.SchoolID, id.UUID)
}
