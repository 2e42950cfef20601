package faults

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// learner is a person whom one client has created, with the client's knowledge about the person.
type learner struct {
	email, id string
	in        map[string]bool // names of the courses in which the person is enrolled
	groups    map[string]bool
	completed map[string]bool // activities that the person has completed
	answers   int
}

// group is a group that one client has created.
type group struct {
	name, id string
	courses  map[string]bool
}

// client makes one write after another and records the expected result of each.
type client struct {
	*caller
	no      int // number of the client
	school  *school
	history History
	people  []*learner
	groups  []*group
	course  string              // id of the course whose structure this client changes; blank before it exists
	plan    string              // the last structure that this client has sent, as in Entry.Detail
	names   map[*learner]string // the learners' first names
	n       int                 // number of writes
}

// pendingWrite is the next write.
type pendingWrite struct {
	request
	entry Entry
	// done handles the response. It may add rows to the entry.
	done func(t exchange, e *Entry)
}

// run makes writes until more ends. After it has started a write, it retries the write until the
// response is certain or ctx ends.
func (c *client) run(ctx, more context.Context) {
	for more.Err() == nil {
		kind := kinds[c.rng.IntN(len(kinds))]
		if len(c.people) < 3 {
			kind = kinds[0]
		}
		w, ok := kind.draw(c)
		if !ok {
			continue
		}
		c.n++
		w.entry.Kind, w.entry.Client, w.entry.N = kind.name, c.no, c.n
		if !c.do(ctx, w) {
			return
		}
	}
}

func (c *client) do(ctx context.Context, w pendingWrite) bool {
	if w.method == http.MethodPost {
		w.key = uuid.NewString()
	}
	first, ok := c.sendUntilCertain(ctx, w.request)
	switch {
	case !ok:
		c.tally.violate(Violation{Stuck, fmt.Sprintf("%s: %s %s: %d %.200s", w.entry.Kind, w.method, w.path, first.status, first.body)})
	case first.status < 300 || first.status == http.StatusNotFound && w.method == http.MethodDelete:
		w.entry.Outcome = Acknowledged
		c.tally.acknowledge(w.entry.Kind)
		if w.done != nil {
			w.done(first, &w.entry)
		}
	default:
		w.entry.Outcome = Refused
	}
	c.history = append(c.history, w.entry)
	if w.entry.Outcome == Acknowledged && w.method == http.MethodPost && c.rng.IntN(8) == 0 {
		ok = c.repeat(ctx, w.request, first)
	}
	return ok
}

// repeat sends an acknowledged request again. It must get the recorded response.
func (c *client) repeat(ctx context.Context, r request, first exchange) bool {
	again, ok := c.sendUntilCertain(ctx, r)
	if ok && (again.status != first.status || string(again.body) != string(first.body)) {
		c.tally.violate(Violation{Different, fmt.Sprintf("%s %s: %d %.300s, first %d %.300s", r.method, r.path,
			again.status, again.body, first.status, first.body)})
	}
	return ok
}

// pick returns a random learner among the client's people that satisfy is, and reports whether
// there is one.
func (c *client) pick(is func(*learner) bool) (*learner, bool) { return pick(c.rng, c.people, is) }

func pick[T any](rng *rand.Rand, all []T, is func(T) bool) (T, bool) {
	some := slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !is(v) })
	if len(some) == 0 {
		var none T
		return none, false
	}
	return some[rng.IntN(len(some))], true
}

// enroll adds the courses in which the learner is not yet enrolled to l.in, and returns the rows of
// the new enrollments.
func (l *learner) enroll(courses ...string) []Row {
	var rows []Row
	for _, name := range courses {
		if !l.in[name] {
			l.in[name] = true
			rows = append(rows, Row{enrolled, l.email, name})
		}
	}
	return rows
}

// join is like enroll, but for a group. The group enrolls new members in its courses.
func (l *learner) join(name string, courses map[string]bool) []Row {
	if l.groups[name] {
		return nil
	}
	l.groups[name] = true
	return append(l.enroll(slices.Sorted(maps.Keys(courses))...), Row{member, l.email, name})
}

// complete is like enroll, but for the completion of an activity.
func (l *learner) complete(activity string) []Row {
	if l.completed[activity] {
		return nil
	}
	l.completed[activity] = true
	return []Row{{completed, l.email, activity}}
}

// name returns a name that is unique in the round.
func (c *client) name(prefix string) string { return fmt.Sprintf("%s %d-%d", prefix, c.no, c.n) }

func (c *client) newLearner(part string) *learner {
	return &learner{
		email: strings.ReplaceAll(c.name(part), " ", "-") + "@example.test",
		in:    map[string]bool{}, groups: map[string]bool{}, completed: map[string]bool{},
	}
}
