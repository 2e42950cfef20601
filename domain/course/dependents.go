package course

import "lyceum/domain/fault"

// Dependents counts the records that a deletion of a course affects. They are deleted with the
// course, except for the groups, which only lose the course.
type Dependents struct {
	Activities     int64
	Enrollments    int64 // enrollments as learner
	Managers       int64
	CourseAttempts int64
	Completions    int64 // completions in attempts at the course
	QuizAttempts   int64
	Submissions    int64
	Events         int64 // events of the course's activities
	Groups         int64 // groups that contain the course
}

// Counts returns the counts by their names in documents.
func (c Dependents) Counts() map[string]int64 {
	return map[string]int64{
		"activities": c.Activities, "enrollments": c.Enrollments, "managers": c.Managers,
		"course_attempts": c.CourseAttempts, "completions": c.Completions, "quiz_attempts": c.QuizAttempts,
		"submissions": c.Submissions, "events": c.Events, "groups": c.Groups,
	}
}

// CheckDeletion returns a Conflict with the counts if the course has learner data, including
// enrollments: the client must ask explicitly to delete learner data. Activities and managers do
// not prevent the deletion.
func (c Dependents) CheckDeletion() error {
	learnerData := c.Enrollments + c.CourseAttempts + c.Completions + c.QuizAttempts + c.Submissions + c.Events
	if learnerData == 0 {
		return nil
	}
	f := fault.Conflictf("", "The course has learner data that would be deleted with it. Repeat with force=true to delete it anyway")
	f.Counts = c.Counts()
	return f
}
