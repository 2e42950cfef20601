package policy

import (
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Enrolling is the decision to give a person a new role in a course, directly or through a group.
type Enrolling struct {
	Request
	Person   person.State
	Course   course.State
	Role     enrollment.Role
	Learners int64 // existing enrollments as learner; exact if a rule needs Count, otherwise 0
}

// Unenrolling is the decision to remove a person's role in a course. Deleting the person or the
// course is not such a decision.
type Unenrolling struct {
	Request
	Person   person.State
	Course   course.State
	Role     enrollment.Role
	Learners int64           // enrollments as learner, including this one; exact if a rule needs Count, otherwise 0
	Progress decimal.Percent // progress in the learner's latest attempt; 0 unless a rule needs Progress
}

// ChangingCourse is the decision to change a course: its attributes, categories and instructors, or
// its structure. Deleting a category, or the partnership of an instructor, is not such a decision.
type ChangingCourse struct {
	Request
	Before, After course.State
	Structure     bool  // whether activities, or the quizzes and assignments of activities, change
	Learners      int64 // enrollments as learner; exact if a rule needs Count, otherwise 0
}

// DeletingCourse is the decision to delete a course.
type DeletingCourse struct {
	Request
	Course     course.State
	Dependents course.Dependents // exact counts of the records that the deletion would affect
	Force      bool              // whether the client asks to delete learner data as well
}

// deletingCourse contains the standard rules on deleting a course.
var deletingCourse = Rules[DeletingCourse]{{Check: func(d DeletingCourse) error {
	if d.Force {
		return nil
	}
	return d.Dependents.CheckDeletion()
}}}
