package lyceum

import (
	"context"
	"net/http"
)

// Activities lists and gets the steps of courses, and completes them.
type Activities struct {
	Lister[Activity]
	Getter[Activity]
}

// Complete records that the person has completed the activity in the current course attempt.
func (a Activities) Complete(ctx context.Context, activityID, personID string, options ...RequestOption) (Completion, error) {
	return fetch[Completion](ctx, a.Lister.at(activityID, "completions"), http.MethodPost, ofPerson(personID), options...)
}

// Quizzes lists and gets quizzes, and submits answers to them.
type Quizzes struct {
	Lister[Quiz]
	Getter[Quiz]
}

// Answer is the answer of a person to a question.
type Answer struct {
	PersonID   string
	QuestionID string
	ActivityID string   // needed if several activities use the quiz
	Response   []string // the texts of the selected choices
}

// Answer submits answers to questions of a quiz and returns them with their grades.
func (q Quizzes) Answer(ctx context.Context, quizID string, answers []Answer, options ...RequestOption) ([]MarkedAnswer, error) {
	list := make([]resource, len(answers))
	for i, a := range answers {
		list[i] = ofPerson(a.PersonID)
		list[i].Attributes = map[string]any{"response": a.Response}
		list[i].Relationships["question"] = toOne("questions", a.QuestionID)
		if a.ActivityID != "" {
			list[i].Relationships["activity"] = toOne("activities", a.ActivityID)
		}
	}
	return fetch[[]MarkedAnswer](ctx, q.Lister.at(quizID, "answers"), http.MethodPost, list, options...)
}
