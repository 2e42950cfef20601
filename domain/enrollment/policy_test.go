package enrollment_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

var (
	now     = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	id      = enrollment.ID{UUID: uuid.UUID{15: 1}}
	ada     = person.State{ID: person.ID{UUID: uuid.UUID{15: 2}}, Email: "ada@lms.test", ActivatedAt: &now}
	invited = person.State{ID: person.ID{UUID: uuid.UUID{15: 3}}, Email: "bo@lms.test"}
	algebra = course.State{ID: course.ID{UUID: uuid.UUID{15: 4}}, Name: "Algebra", Permalink: "algebra"}
)

// Who may be enrolled in what: a rule adds rows, and a member of the table where
// it looks at something new.
func TestEnroll(t *testing.T) {
	for _, tc := range []struct {
		name    string
		person  person.State
		course  course.State
		role    enrollment.Role
		refused fault.Kind // 0 when the person is enrolled
	}{
		{"a learner", ada, algebra, enrollment.Learner, 0},
		{"a manager", ada, algebra, enrollment.Manager, 0},
		{"a person who has not accepted the invitation", invited, algebra, enrollment.Learner, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			e, err := enrollment.Enroll(id, person.Restore(tc.person), course.Restore(tc.course), tc.role, now)
			if tc.refused != 0 {
				is.True(fault.Is(err, tc.refused))
				is.Equal(e, enrollment.Enrollment{})
				return
			}
			is.NoErr(err)
			is.Equal(e, enrollment.Enrollment{
				ID: id, Person: tc.person.ID, Course: tc.course.ID, Role: tc.role, CreatedAt: now, UpdatedAt: now,
			})
		})
	}
}
