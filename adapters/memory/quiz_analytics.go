package memory

import (
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

var (
	_ ports.QuizScores   = quizScores{}
	_ ports.RawAnswers   = rawAnswers{}
	_ ports.QuizAttempts = quizAttemptReader{}
)

type quizScores = lister[analytics.QuizScore]

func listQuizScores(s *state) ordered.Listing {
	kept := s.scores.table
	return ordered.Derived(analytics.ScoreSchema, kept.rows, s.quizScore, kept.byID.Ordered(), ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return kept.byID.Get(v.Int) },
	})
}

// quizScore returns the row of r with the current names of its person, course, activity and quiz.
func (s *state) quizScore(r *score) analytics.QuizScore {
	head := r.attempt.head
	p, _ := s.people.table.ByID.Get(head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(head.Quiz.UUID)
	return analytics.QuizScore{
		ID: r.id, Person: head.Person, Course: head.Course,
		CourseAttempt: head.CourseAttempt, CourseAttemptNumber: head.CourseAttemptNumber,
		Activity: head.Activity, Quiz: head.Quiz, Score: r.attempt.score,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: c.Row.Name,
		QuizName: about.Row.Name, ActivityTitle: a.Row.Title,
	}
}

type rawAnswers = lister[analytics.RawAnswer]

func listRawAnswers(s *state) ordered.Listing {
	return ordered.Derived(analytics.AnswerSchema, s.rawAnswers.table, s.rawAnswer, nil, ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return s.answerByKey(v.Text) },
	})
}

// rawAnswer returns the row of given with the current names and the text of its question.
func (s *state) rawAnswer(given *answer) analytics.RawAnswer {
	head := given.head
	p, _ := s.people.table.ByID.Get(head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(head.Quiz.UUID)
	questions, _ := s.questions.table.Get(head.Quiz.UUID)
	at := quiz.PositionOf(questions.active, given.Question)
	return analytics.RawAnswer{
		QuizAttempt: head.ID, Answer: given.Answer, Position: at, Person: head.Person,
		Course: head.Course, CourseAttemptNumber: head.CourseAttemptNumber, Activity: head.Activity, Quiz: head.Quiz,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: c.Row.Name,
		QuizName: about.Row.Name, ActivityTitle: a.Row.Title, QuestionText: questions.text(given.Question, at),
	}
}

type quizAttemptReader = recordReader[quizattempt.ID, *quizAttempt, analytics.QuizAttempt]

func quizAttemptsIn(v view) quizAttemptReader {
	return quizAttemptReader{
		v, func(s *state) ordered.Records[*quizAttempt] { return s.quizAttempts.table.Records },
		analytics.QuizAttemptSchema, (*state).quizAttempt,
	}
}

// quizAttempt returns the row of r with the current names of its person, course, activity and quiz.
func (s *state) quizAttempt(r *quizAttempt) analytics.QuizAttempt {
	p, _ := s.people.table.ByID.Get(r.head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(r.head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(r.head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(r.head.Quiz.UUID)
	row := analytics.NewQuizAttempt(*r.head)
	row.Score = r.score
	row.PersonName, row.PersonEmail, row.CourseName = p.Row.FullName(), p.Row.Email, c.Row.Name
	row.QuizName, row.ActivityTitle = about.Row.Name, a.Row.Title
	return row
}
