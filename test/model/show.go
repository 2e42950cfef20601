package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// showOperations adds the events and the submissions to s.
func (p *Replay) showOperations(
	ctx context.Context, s picture, q query.Query, of func(person.ID, course.ID) string, errs []error,
) (picture, error) {
	events, err := p.app.Events.List(ctx, p.actor, q)
	errs = append(errs, err)
	for _, e := range events.Items {
		line := instant(&e.CreatedAt) + " viewed "
		for c := range courses {
			if a := slices.Index(p.activities[c][:], e.Activity); a >= 0 {
				line += fmt.Sprintf("%d of %d", a, c)
			}
		}
		line += fmt.Sprintf(" by %d", slices.Index(p.people[:], e.Person))
		if e.Watched != nil {
			line += fmt.Sprintf(" up to %d", int64(*e.Watched))
		}
		s.Events = append(s.Events, line)
	}
	submissions, err := p.app.Submissions.List(ctx, p.actor, q)
	errs = append(errs, err)
	for _, n := range submissions.Items {
		s.Submissions = append(s.Submissions, fmt.Sprintf("%s of %s at %s",
			n.ID, of(n.Person, n.Course), instant(&n.CreatedAt)))
	}
	for _, list := range []*[]string{&s.Enrollments, &s.Courses, &s.Scores, &s.Answers, &s.Submissions} {
		slices.Sort(*list)
	}
	return s, errors.Join(errs...)
}
