package category_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	music := category.State{ID: id, Name: "Music", CreatedAt: now, UpdatedAt: laterTime}
	schematest.Attributes(t, category.Schema, music, map[string]string{
		"uuid":       "00000000-0000-0000-0000-000000000001",
		"name":       "Music",
		"created_at": "2026-01-31T15:04:05.123Z",
		"updated_at": "2026-01-31T16:04:05.123Z",
	})
	schematest.Search(t, category.Schema, music, []string{"USI"}, []string{"2026", "0001"})
	is.Equal(schematest.Order(category.Schema), "name")
}
