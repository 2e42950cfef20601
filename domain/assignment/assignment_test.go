package assignment_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/test/conformance/schematest"
)

var (
	now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	id  = assignment.ID{UUID: uuid.UUID{15: 1}}
)

func TestNew(t *testing.T) {
	is := is.New(t)
	a, err := assignment.New(id, " Essay ", now)
	is.NoErr(err)
	want := assignment.State{ID: id, Title: "Essay", CreatedAt: now, UpdatedAt: now}
	is.Equal(a.State(), want)
	is.Equal(assignment.Restore(want).State(), want)

	_, err = assignment.New(id, "\t", now)
	is.Equal(fault.All(err)[0].Field, "title")
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	full := assignment.State{ID: id, Title: "Essay", CreatedAt: now, UpdatedAt: now}
	schematest.Attributes(t, assignment.Schema, full, map[string]string{
		"uuid":       "00000000-0000-0000-0000-000000000001",
		"title":      "Essay",
		"created_at": "2026-01-31T15:04:05.123Z",
	})
	schematest.Search(t, assignment.Schema, full, []string{"essay"}, []string{"0001"})
	is.Equal(schematest.Order(assignment.Schema), "title")
}
