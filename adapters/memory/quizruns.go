package memory

import (
	"cmp"
	"iter"
	"math"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
)

// quizRun is a quiz attempt as it is kept. It is never changed, only replaced.
type quizRun struct {
	head    *quizattempt.State // what stays as it is: all but the answers and the score
	answers []*givenAnswer     // by the number of the question
	score   quizattempt.Score
}

// givenAnswer is an answer and whose it is.
type givenAnswer struct {
	run *quizattempt.State // without answers and score, like quizRun.head
	quizattempt.Answer
}

// newQuizRun returns a as it is kept, with those answers of old, which is nil for
// a new quiz attempt, that are as they were.
func newQuizRun(a quizattempt.State, old *quizRun) *quizRun {
	run := &quizRun{score: a.Score}
	if old != nil {
		run.head = old.head
	} else {
		head := a
		head.Answers, head.Score = nil, quizattempt.Score{}
		run.head = &head
	}
	before := old.byQuestion()
	for _, given := range a.Answers {
		kept := before[given.Question.UUID]
		if kept == nil || kept.Answer != given {
			kept = &givenAnswer{run.head, given}
		}
		run.answers = append(run.answers, kept)
	}
	return run
}

// byQuestion returns the answers of q, which may be nil, by question.
func (q *quizRun) byQuestion() map[uuid.UUID]*givenAnswer {
	if q == nil {
		return nil
	}
	answers := make(map[uuid.UUID]*givenAnswer, len(q.answers))
	for _, a := range q.answers {
		answers[a.Question.UUID] = a
	}
	return answers
}

// state returns the quiz attempt's record.
func (q *quizRun) state() quizattempt.State {
	s := *q.head
	s.Score = q.score
	for _, a := range q.answers {
		s.Answers = append(s.Answers, a.Answer)
	}
	return s
}

// quizRuns is the quiz attempts of a school.
type quizRuns struct {
	byID     ordered.Dict[uuid.UUID, *quizRun]
	numbered ordered.Tree[*quizRun] // by compareQuizRuns
	rows     ordered.Index[*quizRun]
}

func newQuizRuns() quizRuns {
	return quizRuns{
		byID:     ordered.NewDict[uuid.UUID, *quizRun](ordered.CompareIDs),
		numbered: ordered.NewTree(compareQuizRuns),
		rows: ordered.NewIndex(ordered.Order[*quizRun]{
			Compare: func(a, b *quizRun) int {
				return cmp.Or(b.head.StartedAt.Compare(a.head.StartedAt), ordered.CompareIDs(a.head.ID.UUID, b.head.ID.UUID))
			},
			Sections: ofQuizRun(func(q *quizRun) *quizattempt.State { return q.head }),
		}),
	}
}

// compareQuizRuns orders by course attempt, activity and number, of which no two
// quiz attempts have all alike.
func compareQuizRuns(a, b *quizRun) int {
	return cmp.Or(
		ordered.CompareIDs(a.head.CourseAttempt.UUID, b.head.CourseAttempt.UUID),
		ordered.CompareIDs(a.head.Activity.UUID, b.head.Activity.UUID),
		cmp.Compare(a.head.Number, b.head.Number),
	)
}

// Copy returns quizRuns that change on their own.
func (u quizRuns) Copy() quizRuns { return quizRuns{u.byID.Copy(), u.numbered.Copy(), u.rows.Copy()} }

// set keeps q, in the place of one with the same head.
func (u quizRuns) set(q *quizRun) {
	u.byID.Set(q.head.ID.UUID, q)
	u.numbered.Set(q)
	u.rows.Set(q)
}

func (u quizRuns) remove(q *quizRun) {
	u.byID.Remove(q.head.ID.UUID)
	u.numbered.Delete(q)
	u.rows.Remove(q)
}

// latest returns the quiz attempt with the highest number of an activity within
// a course attempt.
func (u quizRuns) latest(in attempt.ID, a activity.ID) (last *quizRun, ok bool) {
	behind := &quizRun{head: &quizattempt.State{CourseAttempt: in, Activity: a, Number: math.MaxInt}}
	u.numbered.Descend(behind, func(q *quizRun) bool {
		last, ok = q, q.head.CourseAttempt == in && q.head.Activity == a
		return false
	})
	return last, ok
}

// in yields the quiz attempts in a course. It looks at those of all courses.
func (u quizRuns) in(c course.ID) iter.Seq[*quizRun] {
	return ordered.Filter(u.byID.From(0), func(q *quizRun) bool { return q.head.Course == c })
}

// of yields the quiz attempts of a person.
func (u quizRuns) of(p person.ID) iter.Seq[*quizRun] {
	return u.rows.Within("person.id", p.UUID).From(0)
}
