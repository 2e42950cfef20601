package memory

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/quizattempt"
)

// score is a row of the quiz scores: the latest quiz attempt of an activity
// within a course attempt. It is never changed, only replaced.
type score struct {
	id  int64
	run *quizRun
}

// String writes the score for people.
func (r *score) String() string {
	c := r.run.score
	return fmt.Sprintf("%s, %s %% correct, %s", c.Completed(), c.PercentCorrect(), c.LastAnsweredAt.UTC().Format(time.RFC3339Nano))
}

// place is where there is one score at most.
type place struct{ attempt, activity uuid.UUID }

func placeOf(head *quizattempt.State) place {
	return place{head.CourseAttempt.UUID, head.Activity.UUID}
}

func comparePlace(a, b place) int {
	return cmp.Or(ordered.CompareIDs(a.attempt, b.attempt), ordered.CompareIDs(a.activity, b.activity))
}

// scores is the quiz scores of a school.
type scores struct {
	byID ordered.Dict[int64, *score]
	at   ordered.Dict[place, *score]
	rows ordered.Index[*score]
}

func newScores() scores {
	head := func(r *score) *quizattempt.State { return r.run.head }
	return scores{
		byID: ordered.NewDict[int64, *score](cmp.Compare[int64]),
		at:   ordered.NewDict[place, *score](comparePlace),
		rows: ordered.NewIndex(ordered.Order[*score]{
			Compare: func(a, b *score) int {
				return cmp.Or(b.run.score.LastAnsweredAt.Compare(a.run.score.LastAnsweredAt), cmp.Compare(a.id, b.id))
			},
			Sections: ofQuizRun(head),
		}),
	}
}

// ofQuizRun returns the sections of rows that belong to quiz attempts.
func ofQuizRun[R any](head func(R) *quizattempt.State) []ordered.Section[R] {
	return []ordered.Section[R]{
		{Attr: "person.id", ID: func(r R) uuid.UUID { return head(r).Person.UUID }},
		{Attr: "course.id", ID: func(r R) uuid.UUID { return head(r).Course.UUID }},
		{Attr: "quiz.id", ID: func(r R) uuid.UUID { return head(r).Quiz.UUID }},
		{Attr: "activity.id", ID: func(r R) uuid.UUID { return head(r).Activity.UUID }},
	}
}

// Copy returns scores that change on their own.
func (c scores) Copy() scores { return scores{c.byID.Copy(), c.at.Copy(), c.rows.Copy()} }

func (c scores) set(r *score) {
	c.remove(placeOf(r.run.head))
	c.byID.Set(r.id, r)
	c.at.Set(placeOf(r.run.head), r)
	c.rows.Set(r)
}

// remove forgets the score at p, when there is one.
func (c scores) remove(p place) {
	old, ok := c.at.Get(p)
	if !ok {
		return
	}
	c.byID.Remove(old.id)
	c.at.Remove(p)
	c.rows.Remove(old)
}
