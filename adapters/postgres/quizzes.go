package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.QuizRepo = quizRepo{}

type quizRow struct {
	ID         uuid.UUID    `db:"id"`
	Name       string       `db:"name"`
	Activities pgdb.IDArray `db:"activities"`
	CreatedAt  time.Time    `db:"created_at"`
	UpdatedAt  time.Time    `db:"updated_at"`
}

func (r quizRow) summary() (quiz.Summary, error) {
	return quiz.Summary{
		ID: quiz.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		Activities: idsOf[activity.ID](r.Activities),
	}, nil
}

var quizList = listsql.New(listsql.Definition{
	Table: "quizzes",
	Columns: `r.id, r.name, r.created_at, r.updated_at, ARRAY (SELECT a.id FROM activities a
		WHERE a.school_id = r.school_id AND a.quiz_id = r.id
			AND ` + listsql.NotInRemoval("a.course_id", listsql.CoursesInRemoval) + ` ORDER BY a.id) AS activities`,
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"name":       listsql.TextColumn("name"),
		"created_at": {Expr: "r.created_at"},
		"activities.id": {
			Expr: "k.id",
			From: "activities k WHERE k.school_id = r.school_id AND k.quiz_id = r.id AND " + listsql.NotInRemoval("k.course_id", listsql.CoursesInRemoval),
		},
	},
	Sort: quiz.Schema.Default(),
}, quizRow.summary)

type quizReader struct {
	reader[quiz.ID, quizRow, quiz.Summary]
}

// WithQuestions implements ports.QuizReader.
func (c quizReader) WithQuestions(ctx context.Context, id quiz.ID) (quiz.State, error) {
	found, err := c.session.quizzes(ctx, getQuizzes, []quiz.ID{id})
	if err != nil {
		return quiz.State{}, err
	}
	if found[id].ID != id {
		return quiz.State{}, fault.RecordNotFound()
	}
	return found[id], nil
}

var quizTable = newTable("quizzes", []column[quiz.State]{
	{"id", "uuid", func(s quiz.State) any { return s.ID.UUID }},
	{"name", "text", func(s quiz.State) any { return s.Name }},
	{"name_fold", "text", func(s quiz.State) any { return text.Fold(s.Name) }},
	{"created_at", "timestamptz", func(s quiz.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s quiz.State) any { return s.UpdatedAt }},
})

type quizRepo struct{ quizReader }

const getQuizzes = `SELECT id, name, created_at, updated_at FROM quizzes
	WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`

// GetManyForShare implements ports.QuizRepo.
func (c quizRepo) GetManyForShare(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error) {
	states, err := c.session.quizzes(ctx, getQuizzes+` FOR KEY SHARE`, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[quiz.ID]quiz.Quiz, len(states))
	for id, s := range states {
		found[id] = quiz.Restore(s)
	}
	return found, nil
}

// quizzes returns the quizzes with the given ids and their questions. statement reads the quizzes
// and may lock them. Locking the quizzes before the questions are read is enough, because questions
// change only together with their quiz.
func (c *session) quizzes(ctx context.Context, statement string, ids []quiz.ID) (map[quiz.ID]quiz.State, error) {
	convert := func(r quizRow) (quiz.State, error) {
		return quiz.State{ID: quiz.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC()}, nil
	}
	key := func(s quiz.State) quiz.ID { return s.ID }
	found, err := getMap(ctx, c, 0, convert, key, statement, c.SchoolID, idArray(ids))
	if err != nil {
		return nil, err
	}
	var questions []questionRow
	if err := c.SelectRows(ctx, &questions, questionsOf, c.SchoolID, idArray(ids)); err != nil {
		return nil, err
	}
	for _, r := range questions {
		id := quiz.ID{UUID: r.Quiz}
		s := found[id]
		if err := r.addTo(&s); err != nil {
			return nil, err
		}
		found[id] = s
	}
	return found, nil
}
