package memory

import (
	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Damage changes what the school keeps, behind the ports' back.
func (s *Store) Damage(id school.ID, change func(Damaged)) error {
	t, err := s.tenant(id)
	if err != nil {
		return err
	}
	next := t.state.Load().next()
	change(Damaged{next})
	t.state.Store(next)
	return nil
}

// Damaged is a school in which counts and scores can be made wrong.
type Damaged struct{ s *state }

// People adds n to counts of all people.
func (d Damaged) People(n int64, count func(*person.Summary) *int64) {
	add(d.s, &d.s.people, n, count)
}

// Courses adds n to the enrollments of all courses.
func (d Damaged) Courses(n int64) {
	add(d.s, &d.s.courses, n, func(c *course.Summary) *int64 { return &c.EnrollmentsCount })
}

// Groups adds n to the memberships of all groups.
func (d Damaged) Groups(n int64) {
	add(d.s, &d.s.groups, n, func(g *group.Summary) *int64 { return &g.MembershipCount })
}

// Scores makes all scores wrong, or loses them.
func (d Damaged) Scores(lost bool) {
	kept := d.s.scores.own(d.s.version)
	var all []*score
	for r := range kept.byID.From(0) {
		all = append(all, r)
	}
	for _, r := range all {
		if lost {
			kept.remove(placeOf(r.run.head))
			continue
		}
		other := *r.run
		other.score.Answered += 7
		kept.set(&score{r.id, &other})
	}
}

func add[T any](s *state, place *cell[*ordered.Table[T]], n int64, count func(*T) *int64) {
	all := map[uuid.UUID]int64{}
	for r := range place.table.ByID.From(0) {
		all[place.table.ID(&r.Row)] = n
	}
	err := place.own(s.version).Add(all, func(row *T, n int64) { *count(row) += n })
	if err != nil {
		panic(err)
	}
}
