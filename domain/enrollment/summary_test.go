package enrollment_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	progress := decimal.Percent(6667)
	full := enrollment.Summary{
		Enrollment: enrollment.Enrollment{
			ID: enrollment.ID{UUID: uuid.UUID{15: 1}}, Person: person.ID{UUID: uuid.UUID{15: 2}},
			Course: course.ID{UUID: uuid.UUID{15: 3}}, Role: enrollment.Learner, CreatedAt: at, UpdatedAt: at.Add(time.Hour),
		},
		Progress: &progress,
	}
	schematest.Attributes(t, enrollment.Schema, full, map[string]string{
		"uuid":       "00000000-0000-0000-0000-000000000001",
		"role":       "learner",
		"progress":   "66.67",
		"person.id":  "00000000-0000-0000-0000-000000000002",
		"course.id":  "00000000-0000-0000-0000-000000000003",
		"created_at": "2026-01-31T15:04:05.123Z",
		"updated_at": "2026-01-31T16:04:05.123Z",
	})
	is.Equal(schematest.Order(enrollment.Schema), "-created_at")

	manager := enrollment.Summary{Enrollment: enrollment.Enrollment{Role: enrollment.Manager}}
	null := query.Query{Where: query.Cond{
		Attr: enrollment.Schema.Attr("progress"), Op: query.Null, Values: []query.Value{{Bool: true}},
	}}
	is.Equal(len(enrollment.Schema.Evaluate(null, []enrollment.Summary{full, manager}).Items), 1)
}
