package quiz

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// ActiveQuestions is the set of the active questions of a quiz.
type ActiveQuestions map[QuestionID]bool

// ActiveQuestions returns the active questions of the quiz.
func (q Quiz) ActiveQuestions() ActiveQuestions {
	asked := make(ActiveQuestions, len(q.s.Questions))
	for _, question := range q.s.Questions {
		asked[question.ID] = true
	}
	return asked
}

// Update sets the name and the questions of the quiz under the rules of New, except that every
// question needs a key. A key of an active or archived question of the quiz identifies that
// question, which keeps its answers. Other questions are new and get an id from newID. A question
// that is missing from questions is archived if begun is true (learners have started the quiz) and
// deleted otherwise. Grades of existing answers do not change. Update reports whether the quiz
// changed. It returns a fault if the quiz would exceed MaxArchived or MaxArchivedSize.
func (q *Quiz) Update(name string, questions []Question, begun bool, newID func() uuid.UUID, now time.Time) (changed bool, err error) {
	return q.UpdateChecked(Check(name, questions), begun, newID, now)
}

// UpdateChecked is like Update, with a name and questions that were checked before.
func (q *Quiz) UpdateChecked(c Checked, begun bool, newID func() uuid.UUID, now time.Time) (changed bool, err error) {
	if c.err != nil {
		return false, c.err
	}
	name, checked := c.name, slices.Clone(c.questions)
	former := map[string]Question{}
	for _, old := range slices.Concat(q.s.Archived, q.s.Questions) {
		former[old.Key] = old
	}
	for i := range checked {
		if old, ok := former[checked[i].Key]; ok {
			checked[i].ID = old.ID
		} else {
			checked[i].ID = QuestionID{newID()}
		}
		delete(former, checked[i].Key)
	}
	if q.s.Same(State{Name: name, Questions: checked}) {
		return false, nil
	}
	var archived []Question
	if begun {
		archived = slices.SortedFunc(maps.Values(former), func(a, b Question) int { return strings.Compare(a.Key, b.Key) })
	}
	if err := checkArchived(q.s.Archived, archived); err != nil {
		return false, err
	}
	q.s.Name, q.s.Questions, q.s.Archived, q.s.UpdatedAt = name, checked, archived, now
	return true, nil
}

// Same reports whether two quizzes have equal names and active questions.
func (s State) Same(other State) bool {
	return s.Name == other.Name && slices.EqualFunc(s.Questions, other.Questions, same)
}

func same(a, b Question) bool {
	return a.ID == b.ID && a.Key == b.Key && a.Text == b.Text && slices.Equal(a.Choices, b.Choices)
}
