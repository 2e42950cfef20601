// Package quiz defines quizzes: multiple-choice questions and how answers to them are graded.
package quiz

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Type is the resource type of quizzes in documents and faults.
const Type = "quizzes"

// ID identifies a quiz.
type ID struct{ uuid.UUID }

// Quiz is an ordered list of questions. Several activities may use it.
type Quiz struct{ s State }

// State is the plain record of a quiz.
type State struct {
	ID                   ID
	Name                 string
	Questions            []Question // active questions in their order
	Archived             []Question // no longer asked, but kept with their answers; ordered by key
	CreatedAt, UpdatedAt time.Time
}

// Summary is a quiz as it appears in lists and documents.
type Summary struct {
	ID                   ID
	Name                 string
	Activities           []course.ActivityID // activities that use the quiz, ordered by id
	CreatedAt, UpdatedAt time.Time
}

// MaxQuestions is the maximum number of active questions of a quiz.
const MaxQuestions = 500

// MaxArchived and MaxArchivedSize are the maximum number of archived questions of a quiz, and of the
// bytes of their texts and choices (as State.Size counts them). Each answer and each change of the quiz
// reads them, so a quiz that has more takes long.
const (
	MaxArchived     = 2000
	MaxArchivedSize = 8 << 20
)

// New returns a quiz of 1 to MaxQuestions questions. The name must satisfy text.Name. The field of
// a fault about a question is a path, such as questions[2].text. A question without a key gets a
// key with its number, such as question-3.
func New(id ID, name string, questions []Question, now time.Time) (Quiz, error) {
	return NewChecked(id, Check(name, WithKeys(questions)), now)
}

// NewChecked is like New, with a name and questions that were checked before.
func NewChecked(id ID, c Checked, now time.Time) (Quiz, error) {
	if c.err != nil {
		return Quiz{}, c.err
	}
	return Quiz{State{ID: id, Name: c.name, Questions: slices.Clone(c.questions), CreatedAt: now, UpdatedAt: now}}, nil
}

// WithKeys returns the questions and gives each question without a key a key with its number.
func WithKeys(questions []Question) []Question {
	keyed := slices.Clone(questions)
	for i := range keyed {
		if keyed[i].Key == "" {
			keyed[i].Key = fmt.Sprintf("question-%d", i+1)
		}
	}
	return keyed
}

// Checked contains the name and the questions of a quiz with trimmed texts, or all their faults. Checking
// thousands of texts can take seconds and needs no other data, so it can be done before anything is
// locked.
type Checked struct {
	name      string
	questions []Question
	err       error
}

// WithIDs returns c with new ids of the questions, in their order.
func (c Checked) WithIDs(newID func() uuid.UUID) Checked {
	c.questions = slices.Clone(c.questions)
	for i := range c.questions {
		c.questions[i].ID.UUID = newID()
	}
	return c
}

// Check checks the name and the questions of a quiz. Every question needs a key.
func Check(name string, questions []Question) Checked {
	name, errName := text.Name("name", name)
	errs := []error{errName}
	if n := len(questions); n < 1 || n > MaxQuestions {
		errs = append(errs, fault.Invalidf("questions", "must have between 1 and %d elements", MaxQuestions))
	}
	checked, seen := make([]Question, len(questions)), map[string]bool{}
	for i, q := range questions {
		var err error
		checked[i], err = q.check()
		if q.Key != "" && seen[q.Key] {
			err = fault.Join(fault.Invalidf("key", "is used more than once"), err)
		}
		seen[q.Key] = true
		errs = append(errs, fault.InPath(fmt.Sprintf("questions[%d]", i), err))
	}
	return Checked{name, checked, fault.Join(errs...)}
}

// Restore returns the quiz that a store saved as s.
func Restore(s State) Quiz { return Quiz{s} }

// State returns the quiz's record.
func (q Quiz) State() State { return q.s }

// Question returns the active question with the given id and its 1-based number, or NotFound if
// there is none.
func (q Quiz) Question(id QuestionID) (Question, int, error) {
	i := slices.IndexFunc(q.s.Questions, func(q Question) bool { return q.ID == id })
	if i < 0 {
		return Question{}, 0, fault.RecordNotFound()
	}
	return q.s.Questions[i], i + 1, nil
}
