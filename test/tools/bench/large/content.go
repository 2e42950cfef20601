package main

import "fmt"

// activities returns n activities of a course structure.
func activities(n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = object{"key": fmt.Sprintf("a%d", i), "title": title(i), "kind": "text"}
	}
	return all
}

func title(i int) string { return fmt.Sprintf("Activity %d", i) }

// quizActivity returns the activity of a quiz of n questions.
func quizActivity(n int) object {
	return object{"key": "quiz", "title": quizName, "kind": "quiz", "quiz": object{"name": quizName, "questions": questions(n)}}
}

func questions(n int) []object {
	all := make([]object, n)
	for i := range all {
		choices := []object{{"text": "yes", "correct": true}, {"text": "no"}}
		all[i] = object{"key": fmt.Sprintf("q%d", i), "text": fmt.Sprintf("Question %d", i), "choices": choices}
	}
	return all
}
