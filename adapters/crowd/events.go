package crowd

import (
	"lyceum/domain/activity"
	"lyceum/domain/event"
)

// events makes the feed: learners view activities of courses in which they are
// enrolled, one after the other through the rest of the span.
func (g *generator) events() error {
	active := min(g.learners(), g.Enrollments) // the first ones are enrolled before the others
	for i := range g.Events {
		n := g.pick(ofEvent, i, active)
		courses, _ := share(g.Enrollments, g.learners(), n)
		bits := mix(g.chance(ofEvent, i))
		s := g.courses[g.course(n, int(bits%uint64(courses)))]  // both are above 0
		act := s.activities[bits>>16%uint64(len(s.activities))] // as above
		viewer := g.personID(who(n))
		e := event.View(viewer, act.ID)
		if act.Content.Kind == activity.Video {
			var err error
			if e, err = event.Watch(viewer, act, event.Fraction(bits>>32%1_000_001)); err != nil { // millionths
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
