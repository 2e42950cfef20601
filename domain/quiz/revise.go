package quiz

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Asked is the questions that a quiz asks.
type Asked map[QuestionID]bool

// Asked returns the questions that the quiz asks.
func (q Quiz) Asked() Asked {
	asked := make(Asked, len(q.s.Questions))
	for _, question := range q.s.Questions {
		asked[question.ID] = true
	}
	return asked
}

// Revise gives the quiz a name and questions, under New's rules, but that each
// question has a key. A key that the quiz has, or had once, names the question
// with all its answers; newID makes the ids of others. A question that is not
// named any more is archived when somebody has begun the quiz, else forgotten.
// Answers keep the marks that they got when they were given.
// Revise tells whether anything has changed.
func (q *Quiz) Revise(name string, questions []Question, begun bool, newID func() uuid.UUID, now time.Time) (changed bool, err error) {
	name, checked, err := check(name, questions)
	if err != nil {
		return false, err
	}
	former := map[string]Question{}
	for _, old := range slices.Concat(q.s.Archived, q.s.Questions) {
		former[old.Key] = old
	}
	for i := range checked {
		old, ok := former[checked[i].Key]
		if checked[i].ID = old.ID; !ok {
			checked[i].ID = QuestionID{newID()}
		}
		delete(former, checked[i].Key)
	}
	if q.s.Same(State{Name: name, Questions: checked}) {
		return false, nil
	}
	q.s.Name, q.s.Questions, q.s.UpdatedAt = name, checked, now
	q.s.Archived = nil
	if begun {
		for _, gone := range former {
			q.s.Archived = append(q.s.Archived, gone)
		}
		slices.SortFunc(q.s.Archived, func(a, b Question) int { return strings.Compare(a.Key, b.Key) })
	}
	return true, nil
}

// Same tells whether two quizzes are called alike and ask the same.
func (s State) Same(other State) bool {
	return s.Name == other.Name && slices.EqualFunc(s.Questions, other.Questions, same)
}

func same(a, b Question) bool {
	return a.ID == b.ID && a.Key == b.Key && a.Text == b.Text && slices.Equal(a.Choices, b.Choices)
}
