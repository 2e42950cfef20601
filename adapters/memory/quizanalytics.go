package memory

import (
	"context"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var (
	_ ports.QuizScores = quizScores{}
	_ ports.RawAnswers = rawAnswers{}
	_ ports.QuizRuns   = quizRunLister{}
)

type quizScores struct{ view view }

func (r quizScores) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizScore], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[analytics.QuizScore]{}, err
	}
	kept := s.scores.table
	return ordered.Listing[*score, analytics.QuizScore]{
		Schema: analytics.ScoreSchema,
		Rows:   kept.rows,
		Show:   ordered.Derive(analytics.ScoreSchema, s.quizScore),
		ByID:   kept.byID.Ordered(),
		Find: map[string]ordered.Finder[*score]{
			"uuid": func(_ query.Attr, v query.Value) (*score, bool) { return kept.byID.Get(v.Int) },
		},
	}.List(ctx, q)
}

// quizScore returns a score with the names of the moment.
func (s *state) quizScore(r *score) analytics.QuizScore {
	head := r.run.head
	p, _ := s.people.table.ByID.Get(head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(head.Quiz.UUID)
	return analytics.QuizScore{
		ID: r.id, Person: head.Person, Course: head.Course,
		CourseAttempt: head.CourseAttempt, CourseNumber: head.CourseNumber,
		Activity: head.Activity, Quiz: head.Quiz, Score: r.run.score,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: c.Row.Name,
		QuizName: about.Row.Name, ActivityTitle: a.Row.Title,
	}
}

type rawAnswers struct{ view view }

func (r rawAnswers) List(ctx context.Context, q query.Query) (query.Result[analytics.RawAnswer], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[analytics.RawAnswer]{}, err
	}
	return ordered.Listing[*givenAnswer, analytics.RawAnswer]{
		Schema: analytics.AnswerSchema,
		Rows:   s.rawAnswers.table,
		Show:   ordered.Derive(analytics.AnswerSchema, s.rawAnswer),
		Find: map[string]ordered.Finder[*givenAnswer]{
			"uuid": func(_ query.Attr, v query.Value) (*givenAnswer, bool) { return s.answerByKey(v.Text) },
		},
	}.List(ctx, q)
}

// rawAnswer returns an answer with the names of the moment.
func (s *state) rawAnswer(given *givenAnswer) analytics.RawAnswer {
	head := given.run
	p, _ := s.people.table.ByID.Get(head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(head.Quiz.UUID)
	questions, _ := s.questions.table.Get(head.Quiz.UUID)
	at := quiz.PositionOf(questions.asked, given.Question)
	return analytics.RawAnswer{
		QuizAttempt: head.ID, Answer: given.Answer, Position: at, Person: head.Person,
		Course: head.Course, CourseNumber: head.CourseNumber, Activity: head.Activity, Quiz: head.Quiz,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: c.Row.Name,
		QuizName: about.Row.Name, ActivityTitle: a.Row.Title, QuestionText: questions.text(given.Question, at),
	}
}

type quizRunLister struct{ view view }

func (r quizRunLister) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizRun], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[analytics.QuizRun]{}, err
	}
	kept := s.quizAttempts.table
	return ordered.Listing[*quizRun, analytics.QuizRun]{
		Schema: analytics.QuizRunSchema,
		Rows:   kept.rows,
		Show:   ordered.Derive(analytics.QuizRunSchema, s.quizRun),
		ByID:   kept.byID.Ordered(),
		Find: map[string]ordered.Finder[*quizRun]{
			"uuid": func(_ query.Attr, v query.Value) (*quizRun, bool) { return kept.byID.Get(v.ID) },
		},
	}.List(ctx, q)
}

// quizRun returns a quiz attempt with the names of the moment.
func (s *state) quizRun(r *quizRun) analytics.QuizRun {
	p, _ := s.people.table.ByID.Get(r.head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(r.head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(r.head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(r.head.Quiz.UUID)
	row := analytics.NewQuizRun(*r.head)
	row.Score = r.score
	row.PersonName, row.PersonEmail, row.CourseName = p.Row.FullName(), p.Row.Email, c.Row.Name
	row.QuizName, row.ActivityTitle = about.Row.Name, a.Row.Title
	return row
}
