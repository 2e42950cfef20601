package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

var (
	_ ports.MembershipReader = membershipReader{}
	_ ports.MembershipRepo   = memberships{}
)

func newMemberships() tables.Roles[membership.Membership] {
	return tables.NewRoles("memberships", tables.NewRecords(
		func(m *membership.Membership) uuid.UUID { return m.ID.UUID },
		func(m *membership.Membership) time.Time { return m.CreatedAt },
		[]ordered.Section[*membership.Membership]{
			{Attr: "person.id", ID: func(m *membership.Membership) uuid.UUID { return m.Person.UUID }},
			{Attr: "group.id", ID: func(m *membership.Membership) uuid.UUID { return m.Group.UUID }},
		}...,
	), func(m *membership.Membership) tables.Role {
		return tables.Role{Person: m.Person.UUID, Name: m.Role.String(), Target: m.Group.UUID}
	})
}

type membershipReader struct {
	recordReader[membership.ID, *membership.Membership, membership.Membership]
}

func membershipsIn(v view) membershipReader {
	return membershipReader{recordReader[membership.ID, *membership.Membership, membership.Membership]{
		v, func(s *state) ordered.Records[*membership.Membership] { return s.memberships.table.Records },
		membership.Schema, func(_ *state, m *membership.Membership) membership.Membership { return *m },
	}}
}

// MemberIDs implements ports.MembershipReader.
func (r membershipReader) MemberIDs(ctx context.Context, id group.ID) ([]person.ID, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	var members []person.ID
	for m := range s.membershipsIn(id).From(0) {
		if m.Role == membership.Member {
			members = append(members, m.Person)
		}
	}
	ordered.SortIDs(members)
	return members, nil
}

type memberships struct {
	membershipReader
	tx *tx
}

// AddIfAbsent implements ports.MembershipRepo.
func (r memberships) AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	for _, m := range ms {
		if !s.people.table.Has(m.Person.UUID) {
			return 0, fmt.Errorf("memory: the membership %s references the unknown person %s", m.ID, m.Person)
		}
		if !s.groups.table.Has(m.Group.UUID) {
			return 0, fmt.Errorf("memory: the membership %s references the unknown group %s", m.ID, m.Group)
		}
	}
	added, err := s.memberships.writable(s.version).Add(tables.Mapped(ms, func(m membership.Membership) *membership.Membership { return &m }))
	if err != nil {
		return 0, err
	}
	return len(added), s.countMembers(added, 1)
}

// RemovePeople implements ports.MembershipRepo.
func (r memberships) RemovePeople(
	ctx context.Context, g group.ID, role membership.Role, people []person.ID,
) (int, error) {
	return r.remove(ctx, tables.Mapped(people, func(p person.ID) *membership.Membership {
		return &membership.Membership{Person: p, Role: role, Group: g}
	}))
}

// RemoveFromGroups implements ports.MembershipRepo.
func (r memberships) RemoveFromGroups(
	ctx context.Context, p person.ID, role membership.Role, groups []group.ID,
) (int, error) {
	return r.remove(ctx, tables.Mapped(groups, func(g group.ID) *membership.Membership {
		return &membership.Membership{Person: p, Role: role, Group: g}
	}))
}

// Delete implements ports.MembershipRepo.
func (r memberships) Delete(ctx context.Context, id membership.ID) error {
	m, err := r.Get(ctx, id)
	if err != nil {
		return err
	}
	_, err = r.remove(ctx, []*membership.Membership{&m})
	return err
}

// DeleteByPerson implements ports.MembershipRepo.
func (r memberships) DeleteByPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, err = r.remove(ctx, slices.Collect(s.membershipsOf(p).From(0)))
	return err
}

// DeleteByGroup implements ports.MembershipRepo.
func (r memberships) DeleteByGroup(ctx context.Context, g group.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	return r.remove(ctx, ordered.First(s.membershipsIn(g).From(0), limit))
}

// remove removes the memberships that match a person, role and group in wanted, and returns how
// many it removed.
func (r memberships) remove(ctx context.Context, wanted []*membership.Membership) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	removed := s.memberships.writable(s.version).Withdraw(wanted)
	return len(removed), s.countMembers(removed, -1)
}

// countMembers adds n, for each membership with the role member in ms, to the counts of the person
// and the group.
func (s *state) countMembers(ms []*membership.Membership, n int64) error {
	if err := groupsOfPerson.add(s, ms, n); err != nil {
		return err
	}
	return membersOfGroup.add(s, ms, n)
}

// membershipsOf returns the memberships of a person.
func (s *state) membershipsOf(id person.ID) ordered.Span[*membership.Membership] {
	return s.memberships.table.Rows.Within("person.id", id.UUID)
}

// membershipsIn returns the memberships of a group.
func (s *state) membershipsIn(id group.ID) ordered.Span[*membership.Membership] {
	return s.memberships.table.Rows.Within("group.id", id.UUID)
}
