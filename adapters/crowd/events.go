package crowd

import (
	"lyceum/domain/activity"
	"lyceum/domain/completion"
	"lyceum/domain/event"
)

// events makes the feed: learners view activities of courses in which they are
// enrolled, one after the other through the rest of the span.
func (g *generator) events() error {
	active := min(g.learners(), g.Enrollments) // the first ones are enrolled before the others
	for i := range g.Events {
		n := g.pick(ofEvent, i, active)
		courses, number := share(g.Enrollments, g.learners(), n)
		bits := mix(g.chance(ofEvent, i))
		k := int(bits % uint64(courses)) // both are above 0
		s := g.courses[g.course(n, k)]
		place := int(bits >> 16 % uint64(len(s.activities))) // as above
		act := s.activities[place]
		viewer := g.personID(who(n))
		e := event.View(viewer, act.ID)
		if act.Content.Kind == activity.Video {
			watched := event.Fraction(bits >> 32 % 1_000_001) // millionths
			if !g.begun(number+k) || place >= g.completedBy(number+k, len(s.activities)) {
				watched = min(watched, completion.MinWatched-1) // more would have completed the video
			}
			var err error
			if e, err = event.Watch(viewer, act, watched); err != nil {
				return err
			}
		}
		e.CreatedAt = part(begin.Add(span/2), begin.Add(span), i, g.Events)
		g.batch.Events = append(g.batch.Events, e)
		if err := g.made(1); err != nil {
			return err
		}
	}
	return nil
}
