// Package learning implements what learners do: view and complete activities, answer quizzes and
// submit files. Each use case saves the action and, in the same transaction, the progress and
// scores that follow from it. Start with Learning.
package learning
