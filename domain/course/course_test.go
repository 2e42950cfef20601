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
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = course.ID{UUID: uuid.UUID{15: 1}}
	token     = strings.Repeat("0a", 20)
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

func TestNewInvalid(t *testing.T) {
	for _, tc := range []struct {
		name                      string
		courseName, permalink, to string
		fields                    string
	}{
		{"no name", " ", "algebra", token, "name"},
		{"no permalink", "Algebra", "", token, "permalink"},
		{"a permalink that is not a slug", "Algebra", "Algebra I", token, "permalink"},
		{"a permalink that could be an id", "Algebra", "0123abcd-89ab-cdef-0123-456789abcdef", token, "permalink"},
		{"an invalid token", "Algebra", "algebra", "secret", "enroll_token"},
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

// Categories and instructors are ordered by id, without duplicates, and replace the previous ones.
func TestSetCategoriesAndInstructors(t *testing.T) {
	is := is.New(t)
	under := func(n byte) category.ID { return category.ID{UUID: uuid.UUID{15: n}} }
	by := func(n byte) person.PartnershipID { return person.PartnershipID{UUID: uuid.UUID{15: n}} }
	c := course.Restore(course.State{ID: id})

	file := func(changes bool, categories ...category.ID) {
		changed, err := c.SetCategories(categories...)
		is.NoErr(err)
		is.Equal(changed, changes)
	}
	staff := func(changes bool, instructors ...person.PartnershipID) {
		changed, err := c.SetInstructors(instructors...)
		is.NoErr(err)
		is.Equal(changed, changes)
	}

	file(true, under(3), under(1), under(3), under(2))
	staff(true, by(2), by(1), by(2))
	is.Equal(c.State().Categories, []category.ID{under(1), under(2), under(3)})
	is.Equal(c.State().Instructors, []person.PartnershipID{by(1), by(2)})
	file(false, under(1), under(2), under(3))
	staff(false, by(1), by(2))

	file(true, under(9))
	staff(true)
	is.Equal(c.State().Categories, []category.ID{under(9)})
	is.Equal(len(c.State().Instructors), 0)
}

// More than MaxRelated categories or instructors change nothing.
func TestCategoriesAndInstructorsAreBounded(t *testing.T) {
	is := is.New(t)
	categories, instructors := make([]category.ID, course.MaxRelated+1), make([]person.PartnershipID, course.MaxRelated+1)
	for i := range categories {
		id := uuid.UUID{14: byte(i >> 8), 15: byte(i)}
		categories[i], instructors[i] = category.ID{UUID: id}, person.PartnershipID{UUID: id}
	}
	c := course.Restore(course.State{ID: id})
	_, err := c.SetCategories(categories[1:]...)
	is.NoErr(err)
	_, err = c.SetInstructors(instructors[1:]...)
	is.NoErr(err)
	before := c.State()
	_, err = c.SetCategories(categories...)
	is.Equal(fault.All(err)[0].Error(), "invalid: categories: has too many elements (maximum is 250)")
	_, err = c.SetInstructors(instructors...)
	is.Equal(fault.All(err)[0].Error(), "invalid: instructor_partnerships: has too many elements (maximum is 250)")
	is.Equal(c.State(), before)
}
