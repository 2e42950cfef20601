package memory

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/quizattempt"
)

// score is a row of the quiz scores: the latest quiz attempt for an activity in a course
// attempt. It is immutable; a change replaces it.
type score struct {
	id      int64
	attempt *quizAttempt
}

// String formats the score for an operator, as part of a discrepancy.
func (r *score) String() string {
	c := r.attempt.score
	return fmt.Sprintf("%s, %s %% correct, %s", c.AnsweredOfTotal(), c.PercentCorrect(), c.LastAnsweredAt.UTC().Format(time.RFC3339Nano))
}

// scoreKey identifies a score by its course attempt and activity.
type scoreKey struct{ attempt, activity uuid.UUID }

func scoreKeyOf(head *quizattempt.State) scoreKey {
	return scoreKey{head.CourseAttempt.UUID, head.Activity.UUID}
}

func compareScoreKeys(a, b scoreKey) int {
	return cmp.Or(ordered.CompareIDs(a.attempt, b.attempt), ordered.CompareIDs(a.activity, b.activity))
}

// scoreTable contains the quiz scores of a school.
type scoreTable struct {
	byID  ordered.Dict[int64, *score]
	byKey ordered.Dict[scoreKey, *score]
	rows  ordered.Index[*score]
}

func newScoreTable() scoreTable {
	head := func(r *score) *quizattempt.State { return r.attempt.head }
	return scoreTable{
		byID:  ordered.NewDict[int64, *score](cmp.Compare[int64]),
		byKey: ordered.NewDict[scoreKey, *score](compareScoreKeys),
		rows: ordered.NewIndex(ordered.Order[*score]{
			Compare: func(a, b *score) int {
				return cmp.Or(b.attempt.score.LastAnsweredAt.Compare(a.attempt.score.LastAnsweredAt), cmp.Compare(a.id, b.id))
			},
			Sections: quizAttemptSections(head),
		}),
	}
}

// quizAttemptSections returns the sections of lists whose rows belong to quiz attempts.
func quizAttemptSections[R any](head func(R) *quizattempt.State) []ordered.Section[R] {
	return []ordered.Section[R]{
		{Attr: "person.id", ID: func(r R) uuid.UUID { return head(r).Person.UUID }},
		{Attr: "course.id", ID: func(r R) uuid.UUID { return head(r).Course.UUID }},
		{Attr: "quiz.id", ID: func(r R) uuid.UUID { return head(r).Quiz.UUID }},
		{Attr: "activity.id", ID: func(r R) uuid.UUID { return head(r).Activity.UUID }},
	}
}

// Copy returns a table with the same scores that can be changed independently.
func (c scoreTable) Copy() scoreTable {
	return scoreTable{c.byID.Copy(), c.byKey.Copy(), c.rows.Copy()}
}

// set inserts r, or replaces the score with its key.
func (c scoreTable) set(r *score) {
	c.remove(scoreKeyOf(r.attempt.head))
	c.byID.Set(r.id, r)
	c.byKey.Set(scoreKeyOf(r.attempt.head), r)
	c.rows.Set(r)
}

// remove removes the score with the key p, if it exists.
func (c scoreTable) remove(p scoreKey) {
	old, ok := c.byKey.Get(p)
	if !ok {
		return
	}
	c.byID.Remove(old.id)
	c.byKey.Remove(p)
	c.rows.Remove(old)
}
