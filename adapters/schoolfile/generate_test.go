package schoolfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"pgregory.net/rapid"
)

var errOutage = errors.New("outage")

func TestGeneratedRowsAreAsManyAsAsked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		size := schoolfile.Size{
			People: rapid.IntRange(0, 120).Draw(rt, "people"), Courses: rapid.IntRange(0, 20).Draw(rt, "courses"),
			Categories: rapid.IntRange(0, 40).Draw(rt, "categories"), Seed: rapid.Uint64Range(1, 1<<63).Draw(rt, "seed"),
		}
		// One person of ten has not accepted the invitation and is enrolled in nothing.
		size.Enrollments = rapid.IntRange(0, (size.People-size.People/10)*size.Courses).Draw(rt, "enrollments")
		b, err := schoolfile.Generate(size)
		if err != nil {
			rt.Fatal(err)
		}
		a := newApp()
		b.School.Name = "Generated"
		who, _ := load(t, a, b) // the domain accepts all of it
		var enrolled int
		for _, c := range courses(t, a, who) {
			enrolled += int(c.EnrollmentsCount)
		}
		if n := len(people(t, a, who)); n != size.People {
			rt.Fatalf("%d people", n)
		}
		if enrolled != size.Enrollments {
			rt.Fatalf("%d enrollments", enrolled)
		}
		if len(b.Categories) != size.Categories || len(b.Courses) != size.Courses {
			rt.Fatal("another number of categories or courses")
		}
	})
}

func TestASeedMakesTheSameRows(t *testing.T) {
	is := is.New(t)
	generate := func(seed uint64) app.Blueprint {
		b, err := schoolfile.Generate(schoolfile.Size{People: 40, Courses: 5, Categories: 3, Enrollments: 70, Seed: seed})
		is.NoErr(err)
		return b
	}
	is.Equal(generate(7), generate(7))
	a := newApp()
	b := generate(1)
	b.School.Name = "S"
	who, _ := load(t, a, b)
	is.NoErr(a.Provision.Fill(t.Context(), who.School(), generate(2), nil)) // two seeds do not collide
	is.Equal(len(people(t, a, who)), 80)
}

func TestGeneratedAddressesReachNobody(t *testing.T) {
	is := is.New(t)
	b, err := schoolfile.Generate(schoolfile.Size{People: 500, Seed: 1})
	is.NoErr(err)
	for _, p := range b.People {
		is.True(strings.HasSuffix(p.Profile.Email, "@example.test"))
	}
}

func TestSizesThatMakeNoSense(t *testing.T) {
	tests := []struct {
		name string
		size schoolfile.Size
		want string
	}{
		{"no seed", schoolfile.Size{}, "invalid: seed: must be 1 or more"},
		{
			"negative",
			schoolfile.Size{People: -1, Courses: -1, Categories: -1, Enrollments: -1, Seed: 1},
			"invalid: people: must not be negative; invalid: courses: must not be negative; " +
				"invalid: categories: must not be negative; invalid: enrollments: must not be negative",
		},
		{
			"more enrollments than pairs",
			schoolfile.Size{People: 3, Courses: 2, Enrollments: 7, Seed: 1},
			"invalid: enrollments: must be at most 6: 3 people in 2 courses, each once",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := schoolfile.Generate(tt.size)
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
		})
	}
}
