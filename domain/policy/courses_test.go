package policy_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
)

var (
	now     = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	ada     = person.State{ID: person.ID{UUID: uuid.UUID{15: 2}}, Email: "ada@lms.test", ActivatedAt: &now}
	invited = person.State{ID: person.ID{UUID: uuid.UUID{15: 3}}, Email: "bo@lms.test"}
	algebra = course.State{ID: course.ID{UUID: uuid.UUID{15: 4}}, Name: "Algebra", Permalink: "algebra"}
)

// For a new rule on enrollments, add rows here; if the rule needs further data, add a field to
// Enrolling.
func TestEnroll(t *testing.T) {
	for _, tc := range []struct {
		name     string
		decision policy.Enrolling
		refused  fault.Kind // 0 if the person is enrolled
	}{
		{"a learner", policy.Enrolling{Person: ada, Course: algebra, Role: enrollment.Learner}, 0},
		{"a manager", policy.Enrolling{Person: ada, Course: algebra, Role: enrollment.Manager}, 0},
		{"a person who has not accepted the invitation", policy.Enrolling{Person: invited, Course: algebra, Role: enrollment.Learner}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			err := policy.Standard().Enroll.Check(tc.decision)
			is.Equal(fault.Is(err, tc.refused), tc.refused != 0)
			is.Equal(err == nil, tc.refused == 0)
		})
	}
}
