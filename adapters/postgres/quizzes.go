package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/query"
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
	s := quiz.Summary{
		ID: quiz.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	for _, id := range r.Activities {
		s.Activities = append(s.Activities, activity.ID{UUID: id})
	}
	return s, nil
}

var quizList = listsql.List[quizRow, quiz.Summary]{
	Table: "quizzes",
	Columns: `r.id, r.name, r.created_at, r.updated_at, ARRAY (SELECT a.id FROM activities a
		WHERE a.school_id = r.school_id AND a.quiz_id = r.id
			AND ` + outside("a.course_id", coursesInRemoval) + ` ORDER BY a.id) AS activities`,
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"name":       listsql.TextColumn("name"),
		"created_at": {Expr: "r.created_at"},
		"activities.id": {
			Expr: "k.id",
			From: "activities k WHERE k.school_id = r.school_id AND k.quiz_id = r.id AND " + outside("k.course_id", coursesInRemoval),
		},
	},
	Sort:    quiz.Schema.Default(),
	Convert: quizRow.summary,
}

type quizReader struct{ *session }

// List returns a page of quizzes.
func (c quizReader) List(ctx context.Context, q query.Query) (query.Result[quiz.Summary], error) {
	return quizList.Page(ctx, c.session, q)
}

// Get returns the quiz id.
func (c quizReader) Get(ctx context.Context, id quiz.ID) (quiz.Summary, error) {
	return quizList.One(ctx, c.session, id.UUID)
}

type quizRepo struct{ quizReader }

const addQuiz = `
	INSERT INTO quizzes (school_id, id, name, name_fold, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6)`

// Add keeps a new quiz with its questions.
func (c quizRepo) Add(ctx context.Context, q quiz.Quiz) error {
	s := q.State()
	_, err := c.Exec(ctx, addQuiz, c.SchoolID, s.ID.UUID, s.Name, text.Fold(s.Name), s.CreatedAt, s.UpdatedAt)
	if err != nil {
		return err
	}
	return c.keepQuestions(ctx, s)
}
