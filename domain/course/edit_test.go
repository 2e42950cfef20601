package course_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
)

func ptr[T any](v T) *T { return &v }

func TestEdit(t *testing.T) {
	algebra := course.State{ID: id, Name: "Algebra", Permalink: "algebra", EnrollToken: token, CreatedAt: now, UpdatedAt: now}
	for _, tc := range []struct {
		name        string
		edit        course.Edit
		title, link string
		changed     bool
		refused     string
	}{
		{name: "nothing", title: "Algebra", link: "algebra"},
		{name: "all as it is", edit: course.Edit{Name: ptr(" Algebra "), Permalink: ptr("algebra")}, title: "Algebra", link: "algebra"},
		{name: "the name", edit: course.Edit{Name: ptr("Sets")}, title: "Sets", link: "algebra", changed: true},
		{name: "the permalink", edit: course.Edit{Permalink: ptr("sets")}, title: "Algebra", link: "sets", changed: true},
		{name: "a wrong name", edit: course.Edit{Name: ptr(""), Permalink: ptr("sets")}, refused: "name"},
		{name: "a wrong permalink", edit: course.Edit{Name: ptr("Sets"), Permalink: ptr("Sets!")}, refused: "permalink"},
		{name: "a permalink that could be an id", edit: course.Edit{Permalink: ptr("0123abcd-89ab-cdef-0123-456789abcdef")}, refused: "permalink"},
		{name: "both wrong", edit: course.Edit{Name: ptr(""), Permalink: ptr("")}, refused: "name permalink"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := course.Restore(algebra)
			changed, err := c.Edit(tc.edit, later)
			is.Equal(fields(err), tc.refused)
			is.Equal(changed, tc.changed)
			want := algebra
			if tc.refused == "" {
				want.Name, want.Permalink = tc.title, tc.link
			}
			if tc.changed {
				want.UpdatedAt = later
			}
			is.Equal(c.State(), want)
		})
	}
}

// fields returns the attributes that err blames.
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
