package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
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

var membershipKind = ordered.Kind[membership.Membership]{
	Name:   membership.Type,
	Schema: membership.Schema,
	ID:     func(m *membership.Membership) uuid.UUID { return m.ID.UUID },
	Clone:  func(m membership.Membership) membership.Membership { return m },
	Sections: []ordered.Section[*query.Record[membership.Membership]]{
		{Attr: "group.id", ID: func(m *query.Record[membership.Membership]) uuid.UUID { return m.Row.Group.UUID }},
	},
}

type membershipReader struct{ view view }

func (r membershipReader) List(ctx context.Context, q query.Query) (query.Result[membership.Membership], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[membership.Membership]{}, err
	}
	return s.memberships.table.List(ctx, q)
}

func (r membershipReader) Get(ctx context.Context, id membership.ID) (membership.Membership, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return membership.Membership{}, err
	}
	return s.memberships.table.Get(id.UUID)
}

func (r membershipReader) Members(ctx context.Context, id group.ID) ([]person.ID, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	var members []person.ID
	for m := range membershipsIn(s, id).From(0) {
		if m.Row.Role == membership.Member {
			members = append(members, m.Row.Person)
		}
	}
	slices.SortFunc(members, func(a, b person.ID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
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
		if !s.people.table.Has(m.Person.UUID) {
			return 0, fmt.Errorf("memory: the membership %s names the unknown person %s", m.ID, m.Person)
		}
		if !s.groups.table.Has(m.Group.UUID) {
			return 0, fmt.Errorf("memory: the membership %s names the unknown group %s", m.ID, m.Group)
		}
	}
	fresh, ids := ordered.NewTree(compareSeats), map[membership.ID]bool{}
	for _, m := range ms {
		_, kept := s.seats.table.Get(&m)
		if _, alike := fresh.Get(&m); kept || alike {
			continue
		}
		if s.memberships.table.Has(m.ID.UUID) || ids[m.ID] {
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
	for m := range membershipsIn(s, g).From(0) {
		gone = append(gone, &m.Row)
	}
	_, err = unseat(s, gone)
	return err
}
