package submission

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of submissions are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(s *Summary) uuid.UUID { return s.ID.UUID }),
	query.TimeField("created_at", func(s *Summary) time.Time { return s.CreatedAt }),
	query.UUIDField("assignment.id", func(s *Summary) uuid.UUID { return s.Assignment.UUID }),
	query.UUIDField("course.id", func(s *Summary) uuid.UUID { return s.Course.UUID }),
	query.UUIDField("person.id", func(s *Summary) uuid.UUID { return s.Person.UUID }),
	query.UUIDField("activity.id", func(s *Summary) uuid.UUID { return s.Activity.UUID }).Hidden(),
	query.UUIDField("course_attempt.id", func(s *Summary) uuid.UUID { return s.CourseAttempt.UUID }),
	query.TextField("person_name", func(s *Summary) string { return s.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(s *Summary) string { return s.PersonEmail }).Searched().Hidden(),
	query.TextField("assignment_title", func(s *Summary) string { return s.AssignmentTitle }).Searched().Hidden(),
	query.TextField("course_name", func(s *Summary) string { return s.CourseName }).Searched().Hidden(),
).OrderBy("-created_at")
