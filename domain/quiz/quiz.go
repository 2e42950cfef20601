// Package quiz is questions with the answers among which a learner chooses.
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

// Type is the plural noun by which documents and faults name quizzes.
const Type = "quizzes"

// ID identifies a quiz.
type ID struct{ uuid.UUID }

// Quiz is questions in an order. It may stand in several activities.
type Quiz struct{ s State }

// State is the plain record of a quiz.
type State struct {
	ID                   ID
	Name                 string
	Questions            []Question // in their order; the first is number 1
	Archived             []Question // asked no more, but answered once; in the order of their keys
	CreatedAt, UpdatedAt time.Time
}

// Summary is a quiz as lists and documents show one.
type Summary struct {
	ID                   ID
	Name                 string
	Activities           []course.ActivityID // in which it stands, in the order of their ids
	CreatedAt, UpdatedAt time.Time
}

// MaxQuestions is the longest quiz.
const MaxQuestions = 500

// New returns a quiz of 1 to MaxQuestions questions. The name obeys text.Name,
// each question Question's own rules; faults name the question, such as
// questions[2].text. A question without a key gets one after its number, such as
// question-3.
func New(id ID, name string, questions []Question, now time.Time) (Quiz, error) {
	name, checked, err := check(name, Keyed(questions))
	if err != nil {
		return Quiz{}, err
	}
	return Quiz{State{ID: id, Name: name, Questions: checked, CreatedAt: now, UpdatedAt: now}}, nil
}

// Keyed returns the questions, those without a key with one after their number.
func Keyed(questions []Question) []Question {
	keyed := slices.Clone(questions)
	for i := range keyed {
		if keyed[i].Key == "" {
			keyed[i].Key = fmt.Sprintf("question-%d", i+1)
		}
	}
	return keyed
}

// check returns a quiz's name and questions with their texts trimmed, or all
// that is wrong with them.
func check(name string, questions []Question) (string, []Question, error) {
	name, errName := text.Name("name", name)
	errs := []error{errName}
	if n := len(questions); n < 1 || n > MaxQuestions {
		errs = append(errs, fault.Invalidf("questions", "must be 1 to %d", MaxQuestions))
	}
	checked, seen := make([]Question, len(questions)), map[string]bool{}
	for i, q := range questions {
		var err error
		checked[i], err = q.check()
		if q.Key != "" && seen[q.Key] {
			err = fault.Join(fault.Invalidf("key", "is there already"), err)
		}
		seen[q.Key] = true
		errs = append(errs, fault.Within(fmt.Sprintf("questions[%d]", i), err))
	}
	return name, checked, fault.Join(errs...)
}

// Restore returns the quiz that a store kept as s.
func Restore(s State) Quiz { return Quiz{s} }

// State returns the quiz's record.
func (q Quiz) State() State { return q.s }

// Question returns the question id and its number, from 1; NotFound when the
// quiz has none.
func (q Quiz) Question(id QuestionID) (Question, int, error) {
	i := slices.IndexFunc(q.s.Questions, func(q Question) bool { return q.ID == id })
	if i < 0 {
		return Question{}, 0, fault.Missing()
	}
	return q.s.Questions[i], i + 1, nil
}
