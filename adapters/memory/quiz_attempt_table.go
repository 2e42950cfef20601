package memory

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

// quizAttempt is a stored quiz attempt. It is immutable; a change replaces it.
type quizAttempt struct {
	head    *quizattempt.State // attributes that never change: all except the answers and the score
	answers []*answer          // ordered by question number
	score   quizattempt.Score
}

// answer is an answer with its quiz attempt.
type answer struct {
	head *quizattempt.State // without answers and score, see quizAttempt
	quizattempt.Answer
}

// newQuizAttempt returns the stored form of a. It shares the unchanged answers with old, which is
// nil for a new quiz attempt.
func newQuizAttempt(a quizattempt.State, old *quizAttempt) *quizAttempt {
	run := &quizAttempt{score: a.Score}
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
			kept = &answer{run.head, given}
		}
		run.answers = append(run.answers, kept)
	}
	return run
}

// byQuestion returns the answers by question id. The result is nil if q is nil.
func (q *quizAttempt) byQuestion() map[uuid.UUID]*answer {
	if q == nil {
		return nil
	}
	answers := make(map[uuid.UUID]*answer, len(q.answers))
	for _, a := range q.answers {
		answers[a.Question.UUID] = a
	}
	return answers
}

// state returns a copy of the quiz attempt.
func (q *quizAttempt) state() quizattempt.State {
	s := *q.head
	s.Score = q.score
	for _, a := range q.answers {
		s.Answers = append(s.Answers, a.Answer)
	}
	return s
}

// quizAttemptTable contains the quiz attempts of a school.
type quizAttemptTable struct {
	ordered.Records[*quizAttempt]
	byNumber ordered.Tree[*quizAttempt] // ordered by byAttemptActivityNumber
}

func newQuizAttemptTable() quizAttemptTable {
	return quizAttemptTable{newRecords(
		func(q *quizAttempt) uuid.UUID { return q.head.ID.UUID },
		func(q *quizAttempt) time.Time { return q.head.StartedAt },
		quizAttemptSections(func(q *quizAttempt) *quizattempt.State { return q.head })...,
	), ordered.NewTree(byAttemptActivityNumber)}
}

// byAttemptActivityNumber compares quiz attempts by course attempt, activity and number. Their
// combination is unique.
func byAttemptActivityNumber(a, b *quizAttempt) int {
	return cmp.Or(
		ordered.CompareIDs(a.head.CourseAttempt.UUID, b.head.CourseAttempt.UUID),
		ordered.CompareIDs(a.head.Activity.UUID, b.head.Activity.UUID),
		cmp.Compare(a.head.Number, b.head.Number),
	)
}

// Copy returns a table with the same contents that can be changed independently.
func (u quizAttemptTable) Copy() quizAttemptTable {
	return quizAttemptTable{u.Records.Copy(), u.byNumber.Copy()}
}

// set inserts q, or replaces the quiz attempt with the same id.
func (u quizAttemptTable) set(q *quizAttempt) {
	u.Set(q)
	u.byNumber.Set(q)
}

func (u quizAttemptTable) remove(q *quizAttempt) {
	u.Remove(q)
	u.byNumber.Delete(q)
}

// latest returns the quiz attempt with the highest number for an activity in a course attempt, and
// reports whether there is one.
func (u quizAttemptTable) latest(in attempt.ID, a activity.ID) (last *quizAttempt, ok bool) {
	behind := &quizAttempt{head: &quizattempt.State{CourseAttempt: in, Activity: a, Number: math.MaxInt}}
	u.byNumber.Descend(behind, func(q *quizAttempt) bool {
		last, ok = q, q.head.CourseAttempt == in && q.head.Activity == a
		return false
	})
	return last, ok
}

// ofCourse yields the quiz attempts in a course. It visits the quiz attempts of all courses.
func (u quizAttemptTable) ofCourse(c course.ID) iter.Seq[*quizAttempt] {
	return ordered.Filter(u.ByID.From(0), func(q *quizAttempt) bool { return q.head.Course == c })
}

// ofPerson returns the quiz attempts of a person.
func (u quizAttemptTable) ofPerson(p person.ID) ordered.Span[*quizAttempt] {
	return u.Rows.Within("person.id", p.UUID)
}
