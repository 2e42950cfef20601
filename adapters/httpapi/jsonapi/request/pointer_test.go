package request_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/fault"
)

func TestPointer(t *testing.T) {
	for _, tt := range []struct {
		field string
		row   int // 1-based
		want  string
	}{
		{"", 0, ""},
		{"", 3, "/data/2"},
		{"data", 0, "/data"},
		{"type", 0, "/data/type"},
		{"type", 1, "/data/0/type"},
		{"name", 0, "/data/attributes/name"},
		{"a/b~c", 0, "/data/attributes/a~1b~0c"},
		{"activities[3].quiz.name", 0, "/data/attributes/activities/3/quiz/name"},
		{"relationships", 0, "/data/relationships"},
		{"relationships.categories", 0, "/data/relationships/categories"},
		{"relationships.categories[1]", 0, "/data/relationships/categories/data/1"},
		{"relationships.categories[1].type", 0, "/data/relationships/categories/data/1/type"},
		{"relationships.person.data", 0, "/data/relationships/person/data"},
		{"relationships.person.id", 4, "/data/3/relationships/person/data/id"},
		{"person", 4, "/data/3/relationships/person/data/id"},
	} {
		t.Run(tt.field, func(t *testing.T) {
			is := is.New(t)
			is.Equal(request.Pointer(&fault.Fault{Field: tt.field, Row: tt.row}), tt.want)
		})
	}
}
