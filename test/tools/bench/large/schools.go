package main

import (
	"context"
	"fmt"
)

// permalink is the permalink of the only course of an imported school.
const permalink = "large"

// initialActivities and initialQuestions are the numbers of texts in a course and of questions in a
// quiz before the first change.
const initialActivities, initialQuestions = 10, 4

// courseSchool returns the school of n learners who attend a course with texts and have completed
// the first one. It is imported at the first call.
func (s *server) courseSchool(ctx context.Context, n int) (*school, error) {
	return s.imported(ctx, fmt.Sprintf("Course %d", n), n, func(add func(object)) {
		for i, one := range activities(initialActivities) {
			add(object{"kind": "activity", "course": permalink, "type": "text", "key": one.(object)["key"], "title": title(i)})
		}
		learners(n, add, func(email string) {
			completed := []object{{"activity": title(0), "at": activatedAt}}
			add(object{"kind": "attempt", "course": permalink, "person": email, "number": 1, "started_at": activatedAt, "completed": completed})
		})
	})
}

// quizSchool returns the school of n learners who have completed a quiz. It is imported at the
// first call.
func (s *server) quizSchool(ctx context.Context, n int) (*school, error) {
	return s.imported(ctx, fmt.Sprintf("Quiz %d", n), n, func(add func(object)) {
		add(object{"kind": "quiz", "name": quizName, "questions": questions(initialQuestions)})
		add(object{"kind": "activity", "course": permalink, "type": "quiz", "quiz": quizName, "key": "quiz", "title": quizName})
		var answers []object
		for i := range initialQuestions {
			answers = append(answers, object{"question": i + 1, "of": initialQuestions, "response": "yes", "correct": true, "at": activatedAt})
		}
		completed := []object{{"activity": quizName, "at": activatedAt}}
		learners(n, add, func(email string) {
			add(object{"kind": "attempt", "course": permalink, "person": email, "number": 1, "started_at": activatedAt, "completed": completed})
		}, func(email string) {
			add(object{"kind": "quiz_attempt", "course": permalink, "person": email, "attempt": 1, "activity": quizName, "number": 1, "started_at": activatedAt, "answers": answers})
		})
	})
}

const (
	activatedAt = "2026-01-31T15:00:00Z"
	quizName    = "Quiz"
)

// learners enrolls n people in the course, and then calls each function of more for all of them, in
// the order of the lines of a school.
func learners(n int, add func(object), more ...func(email string)) {
	for _, lines := range append([]func(string){func(email string) {
		add(object{"kind": "enrollment", "course": permalink, "person": email, "role": "learner"})
	}}, more...) {
		for i := range n {
			lines(email(i))
		}
	}
}

func email(i int) string { return fmt.Sprintf("p%d@example.test", i) }
