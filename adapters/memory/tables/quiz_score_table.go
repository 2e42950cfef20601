package tables

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/quizattempt"
)

// Score is a row of the quiz scores: the latest quiz attempt for an activity in a course
// attempt. It is immutable; a change replaces it.
type Score struct {
	ID      int64
	Attempt *QuizAttempt
}

// String formats the score for an operator, as part of a discrepancy.
func (r *Score) String() string {
	c := r.Attempt.Score
	return fmt.Sprintf("%s, %s%% correct, %s", c.AnsweredOfTotal(), c.PercentCorrect(), c.LastAnsweredAt.UTC().Format(time.RFC3339Nano))
}

// ScoreKey identifies a score by its course attempt and activity.
type ScoreKey struct{ Attempt, Activity uuid.UUID }

// ScoreKeyOf returns the key of the score of a quiz attempt.
func ScoreKeyOf(head *quizattempt.State) ScoreKey {
	return ScoreKey{head.CourseAttempt.UUID, head.Activity.UUID}
}

// CompareScoreKeys orders keys by course attempt and activity.
func CompareScoreKeys(a, b ScoreKey) int {
	return cmp.Or(ordered.CompareIDs(a.Attempt, b.Attempt), ordered.CompareIDs(a.Activity, b.Activity))
}

// Scores contains the quiz scores of a school.
type Scores struct {
	ByID  ordered.Keyed[int64, *Score]
	ByKey ordered.Keyed[ScoreKey, *Score]
	Rows  ordered.Index[*Score]
}

// NewScores returns an empty table.
func NewScores() Scores {
	head := func(r *Score) *quizattempt.State { return r.Attempt.Head }
	return Scores{
		ByID:  ordered.NewKeyed(func(r *Score) int64 { return r.ID }, cmp.Compare[int64]),
		ByKey: ordered.NewKeyed(func(r *Score) ScoreKey { return ScoreKeyOf(r.Attempt.Head) }, CompareScoreKeys),
		Rows: ordered.NewIndex(ordered.Order[*Score]{
			Compare: func(a, b *Score) int {
				return cmp.Or(b.Attempt.Score.LastAnsweredAt.Compare(a.Attempt.Score.LastAnsweredAt), cmp.Compare(a.ID, b.ID))
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
func (c Scores) Copy() Scores {
	return Scores{c.ByID.Copy(), c.ByKey.Copy(), c.Rows.Copy()}
}

// Set inserts r, or replaces the score with its key.
func (c Scores) Set(r *Score) {
	c.Remove(ScoreKeyOf(r.Attempt.Head))
	c.ByID.Set(r)
	c.ByKey.Set(r)
	c.Rows.Set(r)
}

// Remove removes the score with the key p, if it exists.
func (c Scores) Remove(p ScoreKey) {
	old, ok := c.ByKey.Get(p)
	if !ok {
		return
	}
	c.ByID.Remove(old.ID)
	c.ByKey.Remove(p)
	c.Rows.Remove(old)
}
