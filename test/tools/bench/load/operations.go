package main

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
)

// operation is a kind of request. target and body build a request from its number n. All requests
// of an operation have different numbers, because each connection has its own range of numbers.
type operation struct {
	name   string
	method string // blank: GET
	target func(s samples, n uint64) string
	body   func(s samples, n uint64) string
	status int     // expected status; 0: 200
	goal   float64 // expected ratio of the rate to the rate of the other server or operation
	follow bool    // whether target is only the first page of each connection, which then follows links.next
	// own is the name of another operation. If it is set, this operation is compared with the
	// server's result for the other operation, not with the bare handler.
	own string
}

func always(target string) func(samples, uint64) string {
	return func(samples, uint64) string { return target }
}

func searched(words func(samples) []string) func(samples, uint64) string {
	return func(s samples, n uint64) string { return "/v1/people?q=" + url.QueryEscape(cycle(words(s), n)) }
}

func filtered(path, attribute string, values func(samples) []string) func(samples, uint64) string {
	return func(s samples, n uint64) string {
		return path + "?" + url.Values{"filter[" + attribute + "][eq]": {cycle(values(s), n)}}.Encode()
	}
}

// pageBetween returns targets that are pages of a list from the first up to the last, a different
// page for each connection.
func pageBetween(path string, first, last uint64) func(samples, uint64) string {
	return func(_ samples, n uint64) string {
		return fmt.Sprintf("%s?page=%d", path, first+(n>>counterBits)*(last-first)/32)
	}
}

func courses(s samples) []string  { return s.catalog }
func learners(s samples) []string { return s.learners }

// operations returns the operations to compare. goal is the expected ratio of their rates.
func operations(s *school) []operation {
	pages := func(rows int) uint64 { return uint64(rows / 25) }
	people, events := pages(s.size.People), pages(s.size.Events)
	deep := fmt.Sprintf("?page=%d", people/2)
	return []operation{
		{name: "people, page 1", target: always("/v1/people"), goal: 1.2},
		{name: "people, page " + fmt.Sprint(people/2), target: always("/v1/people" + deep), goal: 1},
		{name: "people, followed", target: pageBetween("/v1/people", people/4, people*3/4), follow: true, goal: 0.5, own: "people, page 1"},
		{name: "people, one by email", target: filtered("/v1/people", "email", func(s samples) []string { return s.emails }), goal: 0.85},
		{name: "people, search for one", target: searched(func(s samples) []string { return s.rare }), goal: 1},
		{name: "people, search for a common name", target: searched(func(s samples) []string { return s.common }), goal: 1},
		{name: "people, search for a name late in the alphabet", target: searched(func(s samples) []string { return s.late }), goal: 1},
		{name: "people, search for two words", target: searched(func(s samples) []string { return s.twoWords }), goal: 1},
		{name: "people, search for two characters", target: searched(func(s samples) []string { return s.pair }), goal: 1},
		{name: "person", target: func(s samples, n uint64) string { return "/v1/people/" + cycle(s.people, n) }, goal: 0.85},
		{name: "courses, page 1", target: always("/v1/courses"), goal: 1},
		{name: "groups, page 1", target: always("/v1/groups"), goal: 1},
		{name: "coupons, page 1", target: always("/v1/coupons"), goal: 1},
		{name: "events, page 1", target: always("/v2/events"), goal: 1},
		{name: "events, page " + fmt.Sprint(events/20), target: always("/v2/events?page=" + fmt.Sprint(events/20)), goal: 1},
		{name: "events, followed", target: pageBetween("/v2/events", events/4, events*3/4), follow: true, goal: 0.5, own: "events, page 1"},
		{name: "course analytics, page 1", target: always("/v1/analytics/courses"), goal: 0.85},
		{name: "course analytics of a course", target: filtered("/v1/analytics/courses", "course.id", courses), goal: 0.85},
		{name: "course analytics of a person", target: filtered("/v1/analytics/courses", "person.id", learners), goal: 0.85},
		{name: "quiz scores, page 1", target: always("/v1/analytics/quiz_scores"), goal: 0.85},
		{name: "quiz scores of a course", target: filtered("/v1/analytics/quiz_scores", "course.id", courses), goal: 0.85},
		{name: "raw answers, page 1", target: always("/v1/analytics/quiz_raw_answers"), goal: 0.85},
		{name: "raw answers of a course", target: filtered("/v1/analytics/quiz_raw_answers", "course.id", courses), goal: 0.85},
		{name: "create a person", method: "POST", target: always("/v2/people"), body: newcomer, status: 201, goal: 0.85},
		{name: "enroll in 5 courses", method: "POST", target: place, body: fiveCourses, status: 204, goal: 0.85},
		{name: "record an event", method: "POST", target: always("/v2/events"), body: view, status: 201, goal: 0.85},
	}
}

func newcomer(_ samples, n uint64) string {
	return fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":"new-%s-%d@example.test","first_name":"New","last_name":"Comer"}}}`,
		runID, n)
}

func place(s samples, n uint64) string {
	return "/v2/people/" + cycle(s.people, scramble(n)) + "/relationships/courses"
}

func fiveCourses(s samples, n uint64) string {
	ids := make([]string, 5)
	for i := range ids {
		ids[i] = cycle(s.courses, scramble(n)>>32+uint64(i)*397)
	}
	return enrolled(ids...)
}

// scramble returns a pseudorandom number that differs for each n and each run. With the same
// numbers as in an earlier run, people would already be enrolled, and such requests are cheaper.
func scramble(n uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, runID, n)
	return h.Sum64()
}

func enrolled(courses ...string) string {
	data := make([]string, len(courses))
	for i, id := range courses {
		data[i] = `{"type":"enrolled-courses","id":"` + id + `"}`
	}
	return `{"data":[` + strings.Join(data, ",") + `]}`
}

func view(s samples, n uint64) string {
	return `{"data":{"type":"learner_viewed_activity_events","attributes":{},"relationships":{` +
		`"person":{"data":{"type":"people","id":"` + cycle(s.viewers, n) + `"}},` +
		`"activity":{"data":{"type":"activities","id":"` + cycle(s.viewed, n) + `"}}}}}`
}
