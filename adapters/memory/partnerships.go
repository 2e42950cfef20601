package memory

import (
	"context"
	"fmt"
	"slices"

	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.PartnershipRepo = partnerships{}

// partnerships finds those of a person by the ids in the person's row.
type partnerships struct{ tx *tx }

func (r partnerships) AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error) {
	held, err := r.Of(ctx, p.Person)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(held, func(other person.Partnership) bool { return other.Role == p.Role }) {
		return false, nil
	}
	s := r.tx.state
	if _, ok := s.partnerships.table.get(p.ID.UUID); ok {
		return false, fmt.Errorf("memory: partnerships: %w: %s", ports.ErrKnown, p.ID)
	}
	err = s.people.own(s.version).update(p.Person.UUID, func(row *person.Summary) {
		ids := append(slices.Clone(row.Partnerships), p.ID)
		slices.SortFunc(ids, func(a, b person.PartnershipID) int { return compareIDs(a.UUID, b.UUID) })
		row.Partnerships = ids
	})
	if err != nil {
		return false, err
	}
	s.partnerships.own(s.version).set(p.ID.UUID, p)
	return true, nil
}

func (r partnerships) Of(ctx context.Context, id person.ID) ([]person.Partnership, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	p, ok := s.people.table.byID.get(id.UUID)
	if !ok {
		return nil, nil
	}
	held := make([]person.Partnership, len(p.Row.Partnerships))
	for i, id := range p.Row.Partnerships {
		held[i], _ = s.partnerships.table.get(id.UUID)
	}
	return held, nil
}
