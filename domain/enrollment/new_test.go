package enrollment_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

var (
	now     = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	id      = enrollment.ID{UUID: uuid.UUID{15: 1}}
	ada     = person.State{ID: person.ID{UUID: uuid.UUID{15: 2}}, Email: "ada@lms.test", ActivatedAt: &now}
	algebra = course.State{ID: course.ID{UUID: uuid.UUID{15: 4}}, Name: "Algebra", Permalink: "algebra"}
)

func TestNew(t *testing.T) {
	is := is.New(t)
	for _, role := range enrollment.Roles() {
		is.Equal(enrollment.New(id, person.Restore(ada), course.Restore(algebra), role, now), enrollment.Enrollment{
			ID: id, Person: ada.ID, Course: algebra.ID, Role: role, CreatedAt: now, UpdatedAt: now,
		})
	}
}
