package course_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
)

func ptr[T any](v T) *T { return &v }

func TestUpdate(t *testing.T) {
	algebra := course.State{ID: id, Name: "Algebra", Permalink: "algebra", EnrollToken: token, CreatedAt: now, UpdatedAt: now}
	for _, tc := range []struct {
		name        string
		edit        course.Changes
		title, link string
		changed     bool
		refused     string
	}{
		{name: "nothing", title: "Algebra", link: "algebra"},
		{name: "all as it is", edit: course.Changes{Name: ptr(" Algebra "), Permalink: ptr("algebra")}, title: "Algebra", link: "algebra"},
		{name: "the name", edit: course.Changes{Name: ptr("Sets")}, title: "Sets", link: "algebra", changed: true},
		{name: "the permalink", edit: course.Changes{Permalink: ptr("sets")}, title: "Algebra", link: "sets", changed: true},
		{name: "a wrong name", edit: course.Changes{Name: ptr(""), Permalink: ptr("sets")}, refused: "name"},
		{name: "a wrong permalink", edit: course.Changes{Name: ptr("Sets"), Permalink: ptr("Sets!")}, refused: "permalink"},
		{name: "a permalink that could be an id", edit: course.Changes{Permalink: ptr("0123abcd-89ab-cdef-0123-456789abcdef")}, refused: "permalink"},
		{name: "both wrong", edit: course.Changes{Name: ptr(""), Permalink: ptr("")}, refused: "name permalink"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := course.Restore(algebra)
			changed, err := c.Update(tc.edit, laterTime)
			is.Equal(fields(err), tc.refused)
			is.Equal(changed, tc.changed)
			want := algebra
			if tc.refused == "" {
				want.Name, want.Permalink = tc.title, tc.link
			}
			if tc.changed {
				want.UpdatedAt = laterTime
			}
			is.Equal(c.State(), want)
		})
	}
}

// fields returns the fields of the faults of err.
func fields(err error) string {
	blamed := ""
	for _, f := range fault.All(err) {
		if blamed != "" {
			blamed += " "
		}
		blamed += f.Field
	}
	return blamed
}
