package tables

import (
	"cmp"
	"iter"
	"math"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
)

// QuizAttempt is a stored quiz attempt. It is immutable; a change replaces it.
type QuizAttempt struct {
	Head    *quizattempt.State // attributes that never change: all except the answers and the score
	Answers []*Answer          // ordered by question number
	Score   quizattempt.Score
}

// Answer is an answer with its quiz attempt.
type Answer struct {
	Head *quizattempt.State // without answers and score, see QuizAttempt
	quizattempt.Answer
}

// AnswerOrder is the default order of the list of raw answers.
var AnswerOrder = ordered.Order[*Answer]{
	Compare: func(a, b *Answer) int {
		return cmp.Or(
			b.At.Compare(a.At),
			ordered.CompareIDs(a.Head.ID.UUID, b.Head.ID.UUID),
			ordered.CompareIDs(a.Question.UUID, b.Question.UUID),
		)
	},
	Sections: quizAttemptSections(func(a *Answer) *quizattempt.State { return a.Head }),
}

// NewQuizAttempt returns the stored form of a. It shares the unchanged answers with old, which is
// nil for a new quiz attempt.
func NewQuizAttempt(a quizattempt.State, old *QuizAttempt) *QuizAttempt {
	run := &QuizAttempt{Score: a.Score}
	if old != nil {
		run.Head = old.Head
	} else {
		head := a
		head.Answers, head.Score = nil, quizattempt.Score{}
		run.Head = &head
	}
	before := old.ByQuestion()
	for _, given := range a.Answers {
		kept := before[given.Question.UUID]
		if kept == nil || kept.Answer != given {
			kept = &Answer{run.Head, given}
		}
		run.Answers = append(run.Answers, kept)
	}
	return run
}

// ByQuestion returns the answers by question id. The result is nil if q is nil.
func (q *QuizAttempt) ByQuestion() map[uuid.UUID]*Answer {
	if q == nil {
		return nil
	}
	answers := make(map[uuid.UUID]*Answer, len(q.Answers))
	for _, a := range q.Answers {
		answers[a.Question.UUID] = a
	}
	return answers
}

// State returns a copy of the quiz attempt.
func (q *QuizAttempt) State() quizattempt.State {
	s := *q.Head
	s.Score = q.Score
	for _, a := range q.Answers {
		s.Answers = append(s.Answers, a.Answer)
	}
	return s
}

// QuizAttempts contains the quiz attempts of a school.
type QuizAttempts struct {
	ordered.Records[*QuizAttempt]
	ByNumber ordered.Tree[*QuizAttempt] // ordered by byAttemptActivityNumber
}

// NewQuizAttempts returns an empty table.
func NewQuizAttempts() QuizAttempts {
	return QuizAttempts{NewRecords(
		func(q *QuizAttempt) uuid.UUID { return q.Head.ID.UUID },
		func(q *QuizAttempt) time.Time { return q.Head.StartedAt },
		quizAttemptSections(func(q *QuizAttempt) *quizattempt.State { return q.Head })...,
	), ordered.NewTree(byAttemptActivityNumber)}
}

// byAttemptActivityNumber compares quiz attempts by course attempt, activity and number. Their
// combination is unique.
func byAttemptActivityNumber(a, b *QuizAttempt) int {
	return cmp.Or(
		ordered.CompareIDs(a.Head.CourseAttempt.UUID, b.Head.CourseAttempt.UUID),
		ordered.CompareIDs(a.Head.Activity.UUID, b.Head.Activity.UUID),
		cmp.Compare(a.Head.Number, b.Head.Number),
	)
}

// Copy returns a table with the same contents that can be changed independently.
func (u QuizAttempts) Copy() QuizAttempts {
	return QuizAttempts{u.Records.Copy(), u.ByNumber.Copy()}
}

// Set inserts q, or replaces the quiz attempt with the same id.
func (u QuizAttempts) Set(q *QuizAttempt) {
	u.Records.Set(q)
	u.ByNumber.Set(q)
}

func (u QuizAttempts) Remove(q *QuizAttempt) {
	u.Records.Remove(q)
	u.ByNumber.Delete(q)
}

// Latest returns the quiz attempt with the highest number for an activity in a course attempt, and
// reports whether there is one.
func (u QuizAttempts) Latest(in attempt.ID, a activity.ID) (last *QuizAttempt, ok bool) {
	end := &QuizAttempt{Head: &quizattempt.State{CourseAttempt: in, Activity: a, Number: math.MaxInt}}
	u.ByNumber.Descend(end, func(q *QuizAttempt) bool {
		last, ok = q, q.Head.CourseAttempt == in && q.Head.Activity == a
		return false
	})
	return last, ok
}

// OfCourse yields the quiz attempts in a course. It visits the quiz attempts of all courses.
func (u QuizAttempts) OfCourse(c course.ID) iter.Seq[*QuizAttempt] {
	return ordered.Filter(u.ByID.From(0), func(q *QuizAttempt) bool { return q.Head.Course == c })
}

// OfPerson returns the quiz attempts of a person.
func (u QuizAttempts) OfPerson(p person.ID) ordered.Span[*QuizAttempt] {
	return u.Rows.Within("person.id", p.UUID)
}
