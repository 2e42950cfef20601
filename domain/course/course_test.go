package course_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

var (
	now   = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	later = now.Add(time.Hour)
	id    = course.ID{UUID: uuid.UUID{15: 1}}
	token = strings.Repeat("0a", 20)
)

func TestNew(t *testing.T) {
	is := is.New(t)
	c, err := course.New(id, " Algebra I ", "algebra-1", token, now)
	is.NoErr(err)
	want := course.State{
		ID: id, Name: "Algebra I", Permalink: "algebra-1", EnrollToken: token, CreatedAt: now, UpdatedAt: now,
	}
	is.Equal(c.State(), want)
	is.Equal(course.Restore(want).State(), want)
}

func TestNewRefuses(t *testing.T) {
	for _, tc := range []struct {
		name                      string
		courseName, permalink, to string
		fields                    string
	}{
		{"no name", " ", "algebra", token, "name"},
		{"no permalink", "Algebra", "", token, "permalink"},
		{"a permalink that is no slug", "Algebra", "Algebra I", token, "permalink"},
		{"a permalink that could be an id", "Algebra", "0123abcd-89ab-cdef-0123-456789abcdef", token, "permalink"},
		{"a token that is none", "Algebra", "algebra", "secret", "enroll_token"},
		{"all at once", "", "", "", "name permalink enroll_token"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := course.New(id, tc.courseName, tc.permalink, tc.to, now)
			var fields []string
			for _, f := range fault.All(err) {
				is.Equal(f.Kind, fault.Invalid)
				fields = append(fields, f.Field)
			}
			is.Equal(strings.Join(fields, " "), tc.fields)
		})
	}
}

// Categories and instructors are kept in the order of their ids, each once, and
// replace those before.
func TestFileAndStaff(t *testing.T) {
	is := is.New(t)
	under := func(n byte) category.ID { return category.ID{UUID: uuid.UUID{15: n}} }
	by := func(n byte) person.PartnershipID { return person.PartnershipID{UUID: uuid.UUID{15: n}} }
	c := course.Restore(course.State{ID: id})

	c.File(under(3), under(1), under(3), under(2))
	c.Staff(by(2), by(1), by(2))
	is.Equal(c.State().Categories, []category.ID{under(1), under(2), under(3)})
	is.Equal(c.State().Instructors, []person.PartnershipID{by(1), by(2)})

	c.File(under(9))
	c.Staff()
	is.Equal(c.State().Categories, []category.ID{under(9)})
	is.Equal(len(c.State().Instructors), 0)
}
