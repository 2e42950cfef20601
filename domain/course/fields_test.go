package course_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	algebra := course.Summary{
		State: course.State{
			ID: id, Name: "Algebra I", Permalink: "linear", EnrollToken: token, CreatedAt: now, UpdatedAt: laterTime,
			Categories:  []category.ID{{UUID: uuid.UUID{15: 3}}, {UUID: uuid.UUID{15: 4}}},
			Instructors: []person.PartnershipID{{UUID: uuid.UUID{15: 5}}},
		},
		EnrollmentsCount: 12,
	}
	// The links are defined in the same way as in the transport. The token itself is hidden.
	s := course.Schema.With("course_enrollment_link", "https://lms.test/c/", "enroll_token", "").
		With("share_course_link", "https://lms.test/outline/", "permalink", "/cover")
	schematest.Attributes(t, s, algebra, map[string]string{
		"uuid":                       "00000000-0000-0000-0000-000000000001",
		"name":                       "Algebra I",
		"permalink":                  "linear",
		"enrollments_count":          "12",
		"created_at":                 "2026-01-31T15:04:05.123Z",
		"updated_at":                 "2026-01-31T16:04:05.123Z",
		"categories.id":              "00000000-0000-0000-0000-000000000004",
		"instructor_partnerships.id": "00000000-0000-0000-0000-000000000005",
		"course_enrollment_link":     "https://lms.test/c/" + token,
		"share_course_link":          "https://lms.test/outline/linear/cover",
	})
	schematest.Search(t, s, algebra, []string{"algebra", "I algebra"}, []string{"linear", "0a0a"})
	is.Equal(schematest.Order(course.Schema), "name")
}
