// Package learning tests what learners do and read: events, completions, answers, course attempts
// and submissions, with an API key or with a learner token.
package learning
