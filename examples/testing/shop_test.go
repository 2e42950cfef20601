package shop_test

import (
	"io"
	"lyceum/test/lyceumtest"
	"slices"
	"strings"
	"testing"

	"testing.example"
)

// The demo school always has the same courses.
func TestCourseNames(t *testing.T) {
	lyceum := lyceumtest.Start(t, lyceumtest.WithDemo())
	names, err := shop.Client{URL: lyceum.URL, Key: lyceum.Key}.CourseNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 8 {
		t.Errorf("got %d courses, want 8: %q", len(names), names)
	}
}

// A test can create its own school.
func TestCourseNamesOfOwnSchool(t *testing.T) {
	const school = `{"kind": "school", "format": 1, "name": "Shop"}
{"kind": "course", "permalink": "knots", "name": "Knots"}
{"kind": "end"}`
	lyceum := lyceumtest.Start(t, lyceumtest.WithSchool(func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(school)), nil
	}))
	names, err := shop.Client{URL: lyceum.URL, Key: lyceum.Key}.CourseNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Knots"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestCourseNamesWithWrongKey(t *testing.T) {
	lyceum := lyceumtest.Start(t)
	if _, err := (shop.Client{URL: lyceum.URL, Key: "wrong"}).CourseNames(t.Context()); err == nil {
		t.Error("got no error")
	}
}
