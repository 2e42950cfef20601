package memory

import (
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.Completions = completions{}

type completions = lister[analytics.Completion]

func listCompletions(s *state) ordered.Listing {
	kept := s.attempts.table
	return ordered.Derived(analytics.CompletionSchema, kept.CompletionRows, s.completion, nil, ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return kept.CompletionByKey(v.Text) },
	})
}

// completion returns c with the current names of its person, course and activity.
func (s *state) completion(c *tables.CompletionRow) analytics.Completion {
	p, _ := s.people.table.ByID.Get(c.Of.Person.UUID)
	in, _ := s.courses.table.ByID.Get(c.Of.Course.UUID)
	a, _ := s.activities.table.ByID.Get(c.Activity.UUID)
	return analytics.Completion{
		Completion: c.Completion, Person: c.Of.Person, Course: c.Of.Course, CourseAttemptNumber: c.Of.Number,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: in.Row.Name, ActivityTitle: a.Row.Title,
	}
}
