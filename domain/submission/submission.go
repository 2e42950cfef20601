// Package submission defines the files that learners submit for assignments.
package submission

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// Type is the resource type of submissions in documents.
const Type = "assignment_submissions"

// UploadTime is the maximum duration of a request that submits a file.
const UploadTime = time.Hour

// ID identifies a submission.
type ID struct{ uuid.UUID }

// Submission is a file that a person submitted within a course attempt. It never changes. A second
// file is another submission.
type Submission struct {
	ID            ID
	Assignment    assignment.ID
	Activity      activity.ID
	Course        course.ID
	Person        person.ID
	CourseAttempt attempt.ID
	File          File
	CreatedAt     time.Time
}

// Summary is a submission as it appears in lists and documents, including the names by which lists
// are searched.
type Summary struct {
	Submission
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail     string
	AssignmentTitle, CourseName string
}

// New returns the submission of a file for the assignment of act, within a course attempt.
func New(id ID, in attempt.State, act activity.State, f File, now time.Time) Submission {
	return Submission{
		ID: id, Assignment: act.Content.Assignment, Activity: act.ID, Course: in.Course, Person: in.Person,
		CourseAttempt: in.ID, File: f, CreatedAt: now,
	}
}
