package main

import (
	"fmt"
	"net/url"
)

// measuredList is an operation that is measured in all three schools. kind is one of kinds.
type measuredList struct {
	operation
	kind string
}

// kinds lists the kinds of operations, in the order of the panels of the plot.
var kinds = []string{"first page", "random page near the end", "pages followed near the end", "filtered", "search", "write"}

// measuredLists returns the operations to measure in a school. Pages near the end are in the last
// fifth of a list.
func measuredLists(s *school) []measuredList {
	var all []measuredList
	add := func(kind, list string, op operation) {
		op.name = list + ": " + kind
		all = append(all, measuredList{op, kind})
	}
	for _, list := range []struct {
		name, path string
		rows       int
		filter     func(samples, uint64) string
		words      func(samples) []string // nil: the list cannot be searched
	}{
		{"people", "/v1/people", s.size.People, filtered("/v1/people", "email", func(s samples) []string { return s.emails }), func(s samples) []string { return s.rare }},
		{"course analytics", "/v1/analytics/courses", s.size.Enrollments, filtered("/v1/analytics/courses", "person.id", learners), func(s samples) []string { return s.rare }},
		{"raw answers", "/v1/analytics/quiz_raw_answers", s.size.Answers, filtered("/v1/analytics/quiz_raw_answers", "course.id", courses), func(s samples) []string { return s.rare }},
		{"quiz scores", "/v1/analytics/quiz_scores", s.size.Answers / 10, filtered("/v1/analytics/quiz_scores", "course.id", courses), func(s samples) []string { return s.rare }},
		{"events", "/v2/events", s.size.Events, filtered("/v2/events", "person.id", func(s samples) []string { return s.viewers }), nil},
	} {
		pages := uint64(max(2, list.rows/25))
		add(kinds[0], list.name, operation{target: always(list.path)})
		path := list.path
		add(kinds[1], list.name, operation{target: func(_ samples, n uint64) string {
			return fmt.Sprintf("%s?page=%d", path, pages-scramble(n)%max(1, pages/5))
		}})
		add(kinds[2], list.name, operation{target: pageBetween(list.path, pages-pages/10, pages-pages/40), follow: true})
		add(kinds[3], list.name, operation{target: list.filter})
		if list.words != nil {
			words := list.words
			add(kinds[4], list.name, operation{target: func(s samples, n uint64) string {
				return path + "?q=" + url.QueryEscape(cycle(words(s), n))
			}})
		}
	}
	for _, search := range []struct {
		name  string
		words func(samples) []string
	}{
		{"people, a common name", func(s samples) []string { return s.common }},
		{"people, a name late in the alphabet", func(s samples) []string { return s.late }},
		{"people, two words", func(s samples) []string { return s.twoWords }},
		{"people, two characters", func(s samples) []string { return s.pair }},
	} {
		add(kinds[4], search.name, operation{target: searched(search.words)})
	}
	add(kinds[5], "create a person", operation{method: "POST", target: always("/v2/people"), body: newcomer, status: 201})
	add(kinds[5], "enroll in 5 courses", operation{method: "POST", target: place, body: fiveCourses, status: 204})
	add(kinds[5], "record an event", operation{method: "POST", target: always("/v2/events"), body: view, status: 201})
	return all
}
