package memory

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
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
	return cmp.Or(compareIDs(a.attempt, b.attempt), compareIDs(a.activity, b.activity))
}

// scores is the quiz scores of a school.
type scores struct {
	byID dict[int64, *score]
	at   dict[place, *score]
	rows index[*score]
}

func newScores() scores {
	head := func(r *score) *quizattempt.State { return r.run.head }
	return scores{
		byID: newDict[int64, *score](cmp.Compare[int64]),
		at:   newDict[place, *score](comparePlace),
		rows: newIndex(order[*score]{
			compare: func(a, b *score) int {
				return cmp.Or(b.run.score.LastAnsweredAt.Compare(a.run.score.LastAnsweredAt), cmp.Compare(a.id, b.id))
			},
			sections: ofQuizRun(head),
		}),
	}
}

// ofQuizRun returns the sections of rows that belong to quiz attempts.
func ofQuizRun[R any](head func(R) *quizattempt.State) []section[R] {
	return []section[R]{
		{"person.id", func(r R) uuid.UUID { return head(r).Person.UUID }},
		{"course.id", func(r R) uuid.UUID { return head(r).Course.UUID }},
		{"quiz.id", func(r R) uuid.UUID { return head(r).Quiz.UUID }},
		{"activity.id", func(r R) uuid.UUID { return head(r).Activity.UUID }},
	}
}

// Copy returns scores that change on their own.
func (c scores) Copy() scores { return scores{c.byID.Copy(), c.at.Copy(), c.rows.Copy()} }

func (c scores) set(r *score) {
	c.remove(placeOf(r.run.head))
	c.byID.set(r.id, r)
	c.at.set(placeOf(r.run.head), r)
	c.rows.set(r)
}

// remove forgets the score at p, when there is one.
func (c scores) remove(p place) {
	old, ok := c.at.get(p)
	if !ok {
		return
	}
	c.byID.remove(old.id)
	c.at.remove(p)
	c.rows.remove(old)
}
