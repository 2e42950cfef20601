package memory

import (
	"context"

	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/fault"
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
	return ordered.Derived(analytics.ScoreSchema, kept.Rows, s.quizScore, kept.ByID.Ordered(), ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return kept.ByID.Get(v.Int) },
	})
}

// quizScore returns the row of r with the current names of its person, course, activity and quiz.
func (s *state) quizScore(r *tables.Score) analytics.QuizScore {
	head := r.Attempt.Head
	p, _ := s.people.table.ByID.Get(head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(head.Quiz.UUID)
	return analytics.QuizScore{
		ID: r.ID, Person: head.Person, Course: head.Course,
		CourseAttempt: head.CourseAttempt, CourseAttemptNumber: head.CourseAttemptNumber,
		Activity: head.Activity, Quiz: head.Quiz, Score: r.Attempt.Score,
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
func (s *state) rawAnswer(given *tables.Answer) analytics.RawAnswer {
	head := given.Head
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

type quizAttemptReader struct {
	recordReader[quizattempt.ID, *tables.QuizAttempt, analytics.QuizAttempt]
}

func quizAttemptsIn(v view) quizAttemptReader {
	return quizAttemptReader{recordReader[quizattempt.ID, *tables.QuizAttempt, analytics.QuizAttempt]{
		v, func(s *state) ordered.Records[*tables.QuizAttempt] { return s.quizAttempts.table.Records },
		analytics.QuizAttemptSchema, (*state).quizAttempt,
	}}
}

// Latest implements ports.QuizAttempts.
func (r quizAttemptReader) Latest(ctx context.Context, in attempt.ID, a activity.ID) (quizattempt.Attempt, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return quizattempt.Attempt{}, err
	}
	return s.latestQuizAttempt(in, a)
}

func (s *state) latestQuizAttempt(in attempt.ID, a activity.ID) (quizattempt.Attempt, error) {
	last, ok := s.quizAttempts.table.Latest(in, a)
	if !ok {
		return quizattempt.Attempt{}, fault.RecordNotFound()
	}
	return quizattempt.Restore(last.State()), nil
}

// quizAttempt returns the row of r with the current names of its person, course, activity and quiz.
func (s *state) quizAttempt(r *tables.QuizAttempt) analytics.QuizAttempt {
	p, _ := s.people.table.ByID.Get(r.Head.Person.UUID)
	c, _ := s.courses.table.ByID.Get(r.Head.Course.UUID)
	a, _ := s.activities.table.ByID.Get(r.Head.Activity.UUID)
	about, _ := s.quizzes.table.ByID.Get(r.Head.Quiz.UUID)
	row := analytics.NewQuizAttempt(*r.Head)
	row.Score = r.Score
	row.PersonName, row.PersonEmail, row.CourseName = p.Row.FullName(), p.Row.Email, c.Row.Name
	row.QuizName, row.ActivityTitle = about.Row.Name, a.Row.Title
	return row
}

// updateRawAnswers replaces the answers of old with the answers of next. Either attempt may be nil.
func (s *state) updateRawAnswers(old, next *tables.QuizAttempt) {
	rows, before, after := s.rawAnswers.writable(s.version), old.ByQuestion(), next.ByQuestion()
	for question, a := range before {
		switch next := after[question]; next {
		case a:
			continue
		case nil:
			rows.Remove(a)
		default:
			rows.Replace(a, next)
		}
		s.writtenAnswers = append(s.writtenAnswers, a)
	}
	for question, a := range after {
		if old := before[question]; old != a {
			if old == nil {
				rows.Set(a)
			}
			s.writtenAnswers = append(s.writtenAnswers, a)
		}
	}
}

// answerByKey returns the answer with the composite id key, and reports whether it exists.
func (s *state) answerByKey(key string) (*tables.Answer, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 2 {
		return nil, false
	}
	run, ok := s.quizAttempts.table.ByID.Get(ids[0])
	if !ok {
		return nil, false
	}
	given, ok := run.ByQuestion()[ids[1]]
	return given, ok
}

// text returns the text of the question id. at is its position among the active questions, or zero
// if it is archived.
func (q questions) text(id quiz.QuestionID, at quiz.Position) string {
	if at.Number > 0 {
		return q.active[at.Number-1].Text
	}
	for _, archived := range q.archived {
		if archived.ID == id {
			return archived.Text
		}
	}
	return ""
}
