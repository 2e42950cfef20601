package course_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
)

// Learner data prevents the deletion; content and managers do not.
func TestCheckDeletion(t *testing.T) {
	for _, tc := range []struct {
		name     string
		contents course.Dependents
		free     bool
	}{
		{"nothing", course.Dependents{}, true},
		{"activities", course.Dependents{Activities: 1}, true},
		{"managers", course.Dependents{Managers: 1}, true},
		{"groups", course.Dependents{Groups: 1}, true},
		{"enrollments", course.Dependents{Enrollments: 1}, false},
		{"attempts without an enrollment", course.Dependents{CourseAttempts: 1}, false},
		{"completions", course.Dependents{Completions: 1}, false},
		{"quiz attempts", course.Dependents{QuizAttempts: 1}, false},
		{"submissions", course.Dependents{Submissions: 1}, false},
		{"events", course.Dependents{Events: 1}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			err := tc.contents.CheckDeletion()
			is.Equal(err == nil, tc.free)
			is.Equal(fault.Is(err, fault.Conflict), !tc.free)
			for _, f := range fault.All(err) {
				is.Equal(f.Counts, tc.contents.Counts())
			}
		})
	}
	is.New(t).Equal(course.Dependents{
		Activities: 1, Enrollments: 2, Managers: 3, CourseAttempts: 4, Completions: 5, QuizAttempts: 6, Submissions: 7, Events: 8, Groups: 9,
	}.Counts(), map[string]int64{
		"activities": 1, "enrollments": 2, "managers": 3, "course_attempts": 4, "completions": 5, "quiz_attempts": 6,
		"submissions": 7, "events": 8, "groups": 9,
	})
}
