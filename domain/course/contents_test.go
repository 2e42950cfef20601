package course_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
)

// What learners have done stands in the way of deletion, what the school has
// made does not.
func TestCheckDeletion(t *testing.T) {
	for _, tc := range []struct {
		name     string
		contents course.Contents
		free     bool
	}{
		{"nothing", course.Contents{}, true},
		{"activities", course.Contents{Activities: 1}, true},
		{"managers", course.Contents{Managers: 1}, true},
		{"groups", course.Contents{Groups: 1}, true},
		{"enrollments", course.Contents{Enrollments: 1}, false},
		{"attempts of who has left", course.Contents{CourseAttempts: 1}, false},
		{"completions", course.Contents{Completions: 1}, false},
		{"quiz attempts", course.Contents{QuizAttempts: 1}, false},
		{"submissions", course.Contents{Submissions: 1}, false},
		{"events", course.Contents{Events: 1}, false},
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
	is.New(t).Equal(course.Contents{
		Activities: 1, Enrollments: 2, Managers: 3, CourseAttempts: 4, Completions: 5, QuizAttempts: 6, Submissions: 7, Events: 8, Groups: 9,
	}.Counts(), map[string]int64{
		"activities": 1, "enrollments": 2, "managers": 3, "course_attempts": 4, "completions": 5, "quiz_attempts": 6,
		"submissions": 7, "events": 8, "groups": 9,
	})
}
