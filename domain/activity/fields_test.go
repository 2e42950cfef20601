package activity_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/query"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	full := activity.State{ID: id, Course: of, Title: "Intro", Content: activity.TextContent(), CreatedAt: now, UpdatedAt: now}
	schematest.Attributes(t, activity.Schema, full, map[string]string{
		"uuid":      "00000000-0000-0000-0000-000000000001",
		"title":     "Intro",
		"course.id": "00000000-0000-0000-0000-000000000002",
	})
	schematest.Search(t, activity.Schema, full, []string{"intro"}, []string{"text", "0002"})
	is.Equal(schematest.Order(activity.Schema), "title")
	is.Equal(activity.Schema.Attr("created_at").Kind, query.Timestamp)
}
