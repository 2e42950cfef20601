package course

import "lyceum/domain/fault"

// Contents is how much there is of what belongs to a course, and goes with it.
type Contents struct {
	Activities     int64
	Enrollments    int64 // of learners
	Managers       int64
	CourseAttempts int64
	Completions    int64 // in the attempts
	QuizAttempts   int64
	Submissions    int64
	Events         int64 // of the activities
	Groups         int64 // that hold the course
}

// Counts returns the numbers by the names that documents give them.
func (c Contents) Counts() map[string]int64 {
	return map[string]int64{
		"activities": c.Activities, "enrollments": c.Enrollments, "managers": c.Managers,
		"course_attempts": c.CourseAttempts, "completions": c.Completions, "quiz_attempts": c.QuizAttempts,
		"submissions": c.Submissions, "events": c.Events, "groups": c.Groups,
	}
}

// CheckDeletion says whether a course with these contents may be deleted without
// more ado. It is a Conflict, with the counts, when there is anything of
// learners, an enrollment included: that must be deleted on purpose. What the
// school has made itself, activities and the people who manage the course, is
// no obstacle.
func (c Contents) CheckDeletion() error {
	learned := c.Enrollments + c.CourseAttempts + c.Completions + c.QuizAttempts + c.Submissions + c.Events
	if learned == 0 {
		return nil
	}
	f := fault.Conflictf("", "The course has data of learners, which would be deleted with it; force=true deletes it all the same")
	f.Counts = c.Counts()
	return f
}
