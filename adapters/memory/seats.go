package memory

import (
	"cmp"
	"iter"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// compareSeats orders by person, role and group, of which no two memberships
// have all alike.
func compareSeats(a, b *membership.Membership) int {
	return cmp.Or(
		ordered.CompareIDs(a.Person.UUID, b.Person.UUID),
		strings.Compare(a.Role.String(), b.Role.String()),
		ordered.CompareIDs(a.Group.UUID, b.Group.UUID),
	)
}

// membershipsOf yields the memberships of a person.
func membershipsOf(s *state, id person.ID) iter.Seq[*membership.Membership] {
	return func(yield func(*membership.Membership) bool) {
		start := &membership.Membership{Person: id} // no role and no group come before it
		s.seats.table.Ascend(start, func(m *membership.Membership) bool {
			return m.Person == id && yield(m)
		})
	}
}

// membershipsIn returns the memberships of a group.
func membershipsIn(s *state, id group.ID) ordered.Span[*query.Record[membership.Membership]] {
	return s.memberships.table.Rows.Within("group.id", id.UUID)
}

// seat keeps new memberships, whose ids and seats are free, and returns how many.
func seat(s *state, ms []*membership.Membership) (int, error) {
	table, seats := s.memberships.own(s.version), s.seats.own(s.version)
	for _, m := range ms {
		if err := table.Insert(*m); err != nil {
			return 0, err
		}
		seats.Set(m)
	}
	return len(ms), countMembers(s, ms, 1)
}

// unseat forgets those memberships that there are with the person, role and
// group of one of wanted, and returns how many there were.
func unseat(s *state, wanted []*membership.Membership) (int, error) {
	table, seats := s.memberships.own(s.version), s.seats.own(s.version)
	var gone []*membership.Membership
	for _, w := range wanted {
		m, ok := seats.Delete(w)
		if !ok {
			continue
		}
		if err := table.Remove(m.ID.UUID); err != nil {
			return 0, err
		}
		gone = append(gone, m)
	}
	return len(gone), countMembers(s, gone, -1)
}

// countMembers adds n for each of ms, as member, to the counts of its person and
// its group.
func countMembers(s *state, ms []*membership.Membership, n int64) error {
	ofPerson, ofGroup := map[uuid.UUID]int64{}, map[uuid.UUID]int64{}
	for _, m := range ms {
		if m.Role == membership.Member {
			ofPerson[m.Person.UUID] += n
			ofGroup[m.Group.UUID] += n
		}
	}
	err := s.people.own(s.version).Add(ofPerson, func(p *person.Summary, n int64) { p.GroupCount += n })
	if err != nil {
		return err
	}
	return s.groups.own(s.version).Add(ofGroup, func(g *group.Summary, n int64) { g.MembershipCount += n })
}
