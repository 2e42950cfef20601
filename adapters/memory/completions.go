package memory

import (
	"context"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.Completions = completions{}

type completions struct{ view view }

func (r completions) List(ctx context.Context, q query.Query) (query.Result[analytics.Completion], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[analytics.Completion]{}, err
	}
	kept := s.attempts.table
	return ordered.Listing[*finished, analytics.Completion]{
		Schema: analytics.CompletionSchema,
		Rows:   kept.rows,
		Show:   ordered.Derive(analytics.CompletionSchema, s.completion),
		Find: map[string]ordered.Finder[*finished]{
			"uuid": func(_ query.Attr, v query.Value) (*finished, bool) { return kept.completionByKey(v.Text) },
		},
	}.List(ctx, q)
}

// completion returns a completion with the names of the moment.
func (s *state) completion(c *finished) analytics.Completion {
	p, _ := s.people.table.ByID.Get(c.in.Person.UUID)
	in, _ := s.courses.table.ByID.Get(c.in.Course.UUID)
	a, _ := s.activities.table.ByID.Get(c.Activity.UUID)
	return analytics.Completion{
		Completion: c.Completion, Person: c.in.Person, Course: c.in.Course, CourseNumber: c.in.Number,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: in.Row.Name, ActivityTitle: a.Row.Title,
	}
}

// completionByKey returns the completion whose id may be key.
func (u runs) completionByKey(key string) (*finished, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 2 {
		return nil, false
	}
	return u.completion(attempt.ID{UUID: ids[0]}, activity.ID{UUID: ids[1]})
}
