// Package learning tests the ports of the work of learners: enrollments, course attempts, answers,
// submissions, events and their analytics.
package learning
