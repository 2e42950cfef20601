package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.MembershipReader = membershipReader{}
	_ ports.MembershipRepo   = memberships{}
)

var membershipKind = kind[membership.Membership]{
	name:   membership.Type,
	schema: membership.Schema,
	id:     func(m *membership.Membership) uuid.UUID { return m.ID.UUID },
	clone:  func(m membership.Membership) membership.Membership { return m },
	sections: []section[*query.Record[membership.Membership]]{
		{"group.id", func(m *query.Record[membership.Membership]) uuid.UUID { return m.Row.Group.UUID }},
	},
}

type membershipReader struct{ view view }

func (r membershipReader) List(ctx context.Context, q query.Query) (query.Result[membership.Membership], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[membership.Membership]{}, err
	}
	return s.memberships.table.list(ctx, q)
}

func (r membershipReader) Get(ctx context.Context, id membership.ID) (membership.Membership, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return membership.Membership{}, err
	}
	return s.memberships.table.get(id.UUID)
}

func (r membershipReader) Members(ctx context.Context, id group.ID) ([]person.ID, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	var members []person.ID
	for m := range membershipsIn(s, id).from(0) {
		if m.Row.Role == membership.Member {
			members = append(members, m.Row.Person)
		}
	}
	slices.SortFunc(members, func(a, b person.ID) int { return compareIDs(a.UUID, b.UUID) })
	return members, nil
}

type memberships struct {
	membershipReader
	tx *tx
}

func (r memberships) AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	for _, m := range ms {
		if !s.people.table.has(m.Person.UUID) {
			return 0, fmt.Errorf("memory: the membership %s names the unknown person %s", m.ID, m.Person)
		}
		if !s.groups.table.has(m.Group.UUID) {
			return 0, fmt.Errorf("memory: the membership %s names the unknown group %s", m.ID, m.Group)
		}
	}
	fresh, ids := newTree(compareSeats), map[membership.ID]bool{}
	for _, m := range ms {
		_, kept := s.seats.table.Get(&m)
		if _, alike := fresh.Get(&m); kept || alike {
			continue
		}
		if s.memberships.table.has(m.ID.UUID) || ids[m.ID] {
			return 0, fmt.Errorf("memory: memberships: %w: %s", ports.ErrKnown, m.ID)
		}
		ids[m.ID] = true
		fresh.Set(&m)
	}
	return seat(s, fresh.Items())
}

func (r memberships) Remove(
	ctx context.Context, g group.ID, role membership.Role, people []person.ID,
) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	wanted := make([]*membership.Membership, len(people))
	for i, p := range people {
		wanted[i] = &membership.Membership{Person: p, Role: role, Group: g}
	}
	return unseat(s, wanted)
}

func (r memberships) Leave(
	ctx context.Context, p person.ID, role membership.Role, groups []group.ID,
) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	wanted := make([]*membership.Membership, len(groups))
	for i, g := range groups {
		wanted[i] = &membership.Membership{Person: p, Role: role, Group: g}
	}
	return unseat(s, wanted)
}

func (r memberships) RemoveByID(ctx context.Context, id membership.ID) error {
	m, err := r.Get(ctx, id)
	if err != nil {
		return err
	}
	_, err = unseat(r.tx.state, []*membership.Membership{&m})
	return err
}

func (r memberships) RemoveOfPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, err = unseat(s, slices.Collect(membershipsOf(s, p)))
	return err
}

func (r memberships) RemoveOfGroup(ctx context.Context, g group.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	var gone []*membership.Membership
	for m := range membershipsIn(s, g).from(0) {
		gone = append(gone, &m.Row)
	}
	_, err = unseat(s, gone)
	return err
}
