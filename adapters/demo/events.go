package demo

import (
	"encoding/json"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/completion"
	"lyceum/domain/event"
)

// events writes the event feed. Learners view activities of the courses in which they are enrolled.
// The events are spread evenly over the second half of the span, but are all after FeedEnd.
func (g *generator) events() {
	active := min(g.learners(), g.Enrollments) // the first active learners have the first enrollments
	for i := range g.Events {
		n := g.pick(ofEvent, i, active)
		courses, number := portion(g.Enrollments, g.learners(), n)
		bits := mix(g.randomBits(ofEvent, i))
		k := int(bits % uint64(courses)) // safe, because courses is a positive int
		c := g.courses[g.course(n, k)]
		index := int(bits >> 16 % uint64(len(c.activities))) // safe for the same reason
		at := part(begin.Add(span/2), begin.Add(span), i, g.Events)
		if !at.After(g.FeedEnd) {
			at = g.FeedEnd.Add(time.Millisecond)
		}
		line := format.Event{
			Kind: format.EventKind, Type: "viewed", Person: g.Email(enrollablePerson(n)), Course: c.permalink,
			Activity: c.activities[index].Title, CreatedAt: format.NewInstant(at),
		}
		if c.activities[index].Type == activity.Video.String() {
			watched := event.Fraction(bits >> 32 % 1_000_001) // millionths
			if !g.started(number+k) || index >= g.completedBy(number+k, len(c.activities)) {
				watched = min(watched, completion.MinWatched-1) // MinWatched would complete the video
			}
			line.Type, line.Watched = "watched", json.Number(watched.String())
		}
		g.write(line)
	}
}
