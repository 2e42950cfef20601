package memory

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/ledger"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// count is a count that the rows of a table keep.
type count[T any] struct {
	name  string
	of    func(*T) *int64
	right map[uuid.UUID]int64 // by the row's id; what is absent is 0
}

// recount sets the counts of a table right and returns those that were wrong.
func recount[T any](s *state, place *cell[*ordered.Table[T]], counts ...count[T]) ([]ledger.Difference, error) {
	var wrong []ledger.Difference
	for _, r := range slices.Collect(place.table.ByID.From(0)) { // the table changes meanwhile
		row := r.Row
		id := place.table.ID(&row)
		for _, c := range counts {
			kept, right := c.of(&row), c.right[id]
			if *kept == right {
				continue
			}
			wrong = append(wrong, ledger.Difference{
				Record: place.table.Name + " " + id.String(), Value: c.name,
				Stored: strconv.FormatInt(*kept, 10), Right: strconv.FormatInt(right, 10),
			})
			err := place.own(s.version).Update(id, func(row *T) { *c.of(row) = right })
			if err != nil {
				return nil, err
			}
		}
	}
	return wrong, nil
}

// tallied counts ids.
func tallied(ids iter.Seq[uuid.UUID]) map[uuid.UUID]int64 {
	n := map[uuid.UUID]int64{}
	for id := range ids {
		n[id]++
	}
	return n
}

// learners yields what id says of each enrollment as learner.
func (s *state) learners(id func(*enrollment.Enrollment) uuid.UUID) iter.Seq[uuid.UUID] {
	return func(yield func(uuid.UUID) bool) {
		for e := range s.enrollments.table.byID.From(0) {
			if e.Role == enrollment.Learner && !yield(id(e)) {
				return
			}
		}
	}
}

// members yields what id says of each membership as member.
func (s *state) members(id func(*membership.Membership) uuid.UUID) iter.Seq[uuid.UUID] {
	return func(yield func(uuid.UUID) bool) {
		for m := range s.memberships.table.ByID.From(0) {
			if m.Row.Role == membership.Member && !yield(id(&m.Row)) {
				return
			}
		}
	}
}

func (s *state) recountCourses() ([]ledger.Difference, error) {
	return recount(s, &s.courses, count[course.Summary]{
		"enrollments_count",
		func(c *course.Summary) *int64 { return &c.EnrollmentsCount },
		tallied(s.learners(func(e *enrollment.Enrollment) uuid.UUID { return e.Course.UUID })),
	})
}

func (s *state) recountGroups() ([]ledger.Difference, error) {
	return recount(s, &s.groups, count[group.Summary]{
		"membership_count",
		func(g *group.Summary) *int64 { return &g.MembershipCount },
		tallied(s.members(func(m *membership.Membership) uuid.UUID { return m.Group.UUID })),
	})
}

func (s *state) recountPeople() ([]ledger.Difference, error) {
	return recount(s, &s.people,
		count[person.Summary]{
			"course_count",
			func(p *person.Summary) *int64 { return &p.CourseCount },
			tallied(s.learners(func(e *enrollment.Enrollment) uuid.UUID { return e.Person.UUID })),
		},
		count[person.Summary]{
			"group_count",
			func(p *person.Summary) *int64 { return &p.GroupCount },
			tallied(s.members(func(m *membership.Membership) uuid.UUID { return m.Person.UUID })),
		},
	)
}

// resettle sets the quiz scores right and returns those that were wrong.
func (w *tx) resettle() []ledger.Difference {
	s := w.state
	places := ordered.NewTree(comparePlace)
	for q := range s.quizAttempts.table.byID.From(0) {
		places.Set(placeOf(q.head))
	}
	for r := range s.scores.table.byID.From(0) {
		places.Set(placeOf(r.run.head))
	}
	var wrong []ledger.Difference
	for _, p := range slices.Collect(ordered.From(places, 0)) {
		old, had := s.scores.table.at.Get(p)
		if !w.settle(p) {
			continue
		}
		next, has := s.scores.table.at.Get(p)
		d := ledger.Difference{Record: fmt.Sprintf("%s %s:%s", analytics.ScoreType, p.attempt, p.activity), Value: "score"}
		if d.Stored, d.Right = "none", "none"; had {
			d.Stored = old.String()
		}
		if has {
			d.Right = next.String()
		}
		wrong = append(wrong, d)
	}
	return wrong
}
