package memory

import (
	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Damage changes the state of a school directly, without using a port.
func (s *Store) Damage(id school.ID, change func(Damaged)) error {
	t, err := s.Store.(*store).tenant(id)
	if err != nil {
		return err
	}
	next := t.state.Load().next()
	change(Damaged{next})
	t.state.Store(next)
	return nil
}

// Damaged gives tests access to a school in order to falsify its counts and scores.
type Damaged struct{ s *state }

// People adds n to a count of all people.
func (d Damaged) People(n int64, count func(*person.Summary) *int64) {
	add(d.s, &d.s.people, n, count)
}

// Courses adds n to the enrollment counts of all courses.
func (d Damaged) Courses(n int64) {
	add(d.s, &d.s.courses, n, func(c *course.Summary) *int64 { return &c.EnrollmentsCount })
}

// Groups adds n to the membership counts of all groups.
func (d Damaged) Groups(n int64) {
	add(d.s, &d.s.groups, n, func(g *group.Summary) *int64 { return &g.MembershipCount })
}

// Scores adds 7 to the number of answers in all scores or, if lost is true, removes the scores.
func (d Damaged) Scores(lost bool) {
	kept := d.s.scores.writable(d.s.version)
	var all []*tables.Score
	for r := range kept.ByID.From(0) {
		all = append(all, r)
	}
	for _, r := range all {
		if lost {
			kept.Remove(tables.ScoreKeyOf(r.Attempt.Head))
			continue
		}
		other := *r.Attempt
		other.Score.Answered += 7
		kept.Set(&tables.Score{ID: r.ID, Attempt: &other})
	}
}

func add[T any](s *state, table *versioned[*ordered.Table[T]], n int64, count func(*T) *int64) {
	all := map[uuid.UUID]int64{}
	for r := range table.table.ByID.From(0) {
		all[table.table.ID(&r.Row)] = n
	}
	err := table.writable(s.version).Add(all, func(row *T, n int64) { *count(row) += n })
	if err != nil {
		panic(err)
	}
}
