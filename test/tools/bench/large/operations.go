package main

import (
	"context"
	"time"
)

// operation is a kind of bulk or large work.
type operation struct {
	name    string
	records int    // number of records at the larger size
	unit    string // name of the records
	// turns is the number of times that the operation is executed at least. Operations that add and
	// remove something in turn are measured in pairs. 0: exactly once, because each time would need
	// its own school.
	turns int
	// prepare prepares the operation for n records. turn is 0 the first time, and 1 and so on for
	// each repetition.
	prepare func(ctx context.Context, s *server, n, turn int) (work, error)
}

// work executes an operation once.
type work func(ctx context.Context) (outcome, error)

// outcome is the result of an operation.
type outcome struct {
	took      time.Duration // time until all records are written, read or deleted
	response  time.Duration // time until the response, if the work continues after it; otherwise 0
	processor float64       // seconds of processor time of the server, PostgreSQL and commands
	bytes     int64         // size of an export
	lines     int           // lines of an export
}

// sizes contains the divisors of the numbers of records.
var sizes = [2]int{10, 1}

var operations = []operation{
	{"bulk request of people", 15_000, "rows", 1, bulkPeople},
	{"import of people as CSV", 100_000, "people", 1, importPeople},
	{"export of a school", 100_000, "learners", 1, export},
	{"activity added to or removed from a course", 100_000, "enrollments", 2, changeActivities},
	{"course removed", 100_000, "enrollments", 0, removeCourse},
	{"question added to or removed from a quiz", 10_000, "quiz attempts", 2, changeQuestions},
}
