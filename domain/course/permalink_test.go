package course_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"pgregory.net/rapid"
)

// first returns the first n permalinks for a course with the given name.
func first(name string, n int) []string {
	var links []string
	for link := range course.Permalinks(name) {
		if links = append(links, link); len(links) == n {
			break
		}
	}
	return links
}

func TestPermalinks(t *testing.T) {
	long := strings.Repeat("a", 90)
	for _, tc := range []struct {
		name string
		want []string
	}{
		{"Algebra I", []string{"algebra-i", "algebra-i-2", "algebra-i-3"}},
		{"Café & Küche", []string{"cafe-kuche", "cafe-kuche-2"}},
		{"数学", []string{"course", "course-2"}},
		{"", []string{"course"}},
		{"0123abcd-89ab-cdef-0123-456789abcdef", []string{"course", "course-2"}},
		{long, []string{long[:80], long[:78] + "-2"}},
		{long[:77] + " bcd", []string{long[:77] + "-bc", long[:77] + "-2"}}, // a hyphen is not doubled
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(first(tc.name, len(tc.want)), tc.want)
		})
	}
}

// For every name, all permalinks are valid and different.
func TestPropertyPermalinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seen := map[string]bool{}
		for _, link := range first(rapid.String().Draw(t, "name"), 120) {
			if _, err := course.New(id, "Algebra", link, token, now); err != nil || seen[link] {
				t.Fatalf("%q: %v", link, err)
			}
			seen[link] = true
		}
	})
}
