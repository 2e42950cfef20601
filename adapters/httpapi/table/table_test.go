package table_test

import (
	"encoding/json"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/table"
)

type inner struct {
	Name string  `json:"name"`
	Note *string `json:"note"`
}

type attributes struct {
	inner
	Count  int64        `json:"count"`
	Share  *json.Number `json:"share,omitempty"`
	Active bool         `json:"active"`
	Values []string     `json:"values"`

	Properties json.RawMessage `json:"properties,omitempty"`
}

type relationships struct {
	Course *jsonapi.ToOne `json:"course,omitempty"`
	People jsonapi.ToMany `json:"people"`
}

func TestTable(t *testing.T) {
	is := is.New(t)
	tbl := table.New(jsonapi.Resource{ID: "", Attributes: attributes{}, Relationships: relationships{}}, []string{"age", "team"})
	is.Equal(tbl.Head(), []string{
		"type", "id", "name", "note", "count", "share", "active", "values", "properties.age", "properties.team", "course", "people",
	})
	share, note, course := json.Number("-0.5"), "=1", jsonapi.One("courses", "c")
	row, err := tbl.Row(jsonapi.Resource{
		Type: "things", ID: int64(7),
		Attributes: attributes{
			inner{"-Ada", &note}, 3, &share, true, []string{"@a", "b"}, json.RawMessage(`{"age":1234567890123456789,"team":"+x"}`),
		},
		Relationships: relationships{&course, jsonapi.Many("people", "a", "b")},
	})
	is.NoErr(err)
	is.Equal(row, []string{"things", "7", "'-Ada", "'=1", "3", "-0.5", "true", "'@a,b", "1234567890123456789", "'+x", "c", "a,b"})
	row, err = tbl.Row(jsonapi.Resource{Type: "things", ID: "x", Attributes: attributes{}, Relationships: relationships{}})
	is.NoErr(err)
	is.Equal(row, []string{"things", "x", "", "", "0", "", "false", "", "", "", "", ""})

	few := tbl.Select(func(name string) bool { return name == "properties" || name == "people" })
	is.Equal(few.Head(), []string{"type", "id", "properties.age", "properties.team", "people"})
}

func TestTableWithoutID(t *testing.T) {
	is := is.New(t)
	is.Equal(table.New(jsonapi.Resource{Attributes: inner{}, Relationships: struct{}{}}, nil).Head(), []string{"type", "name", "note"})
}
