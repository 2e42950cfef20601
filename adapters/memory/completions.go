package memory

import (
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.Completions = completions{}

type completions = lister[analytics.Completion]

func listCompletions(s *state) ordered.Listing {
	kept := s.attempts.table
	return ordered.Derived(analytics.CompletionSchema, kept.completionRows, s.completion, nil, ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return kept.completionByKey(v.Text) },
	})
}

// completion returns c with the current names of its person, course and activity.
func (s *state) completion(c *completionRow) analytics.Completion {
	p, _ := s.people.table.ByID.Get(c.attempt.Person.UUID)
	in, _ := s.courses.table.ByID.Get(c.attempt.Course.UUID)
	a, _ := s.activities.table.ByID.Get(c.Activity.UUID)
	return analytics.Completion{
		Completion: c.Completion, Person: c.attempt.Person, Course: c.attempt.Course, CourseAttemptNumber: c.attempt.Number,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email, CourseName: in.Row.Name, ActivityTitle: a.Row.Title,
	}
}

// completionByKey returns the completion with the composite id key, and reports whether it exists.
func (u attemptTable) completionByKey(key string) (*completionRow, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 2 {
		return nil, false
	}
	return u.completion(attempt.ID{UUID: ids[0]}, activity.ID{UUID: ids[1]})
}
