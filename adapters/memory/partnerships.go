package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.PartnershipReader = partnershipReader{}
	_ ports.PartnershipRepo   = partnerships{}
)

var partnershipKind = ordered.Kind[person.Partnership]{
	Name:   person.PartnershipType,
	Schema: person.PartnershipSchema,
	ID:     func(p *person.Partnership) uuid.UUID { return p.ID.UUID },
	Clone:  func(p person.Partnership) person.Partnership { return p },
}

type partnershipReader struct{ view view }

func (r partnershipReader) List(ctx context.Context, q query.Query) (query.Result[person.Partnership], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[person.Partnership]{}, err
	}
	return s.partnerships.table.List(ctx, q)
}

func (r partnershipReader) Get(ctx context.Context, id person.PartnershipID) (person.Partnership, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return person.Partnership{}, err
	}
	return s.partnerships.table.Get(id.UUID)
}

// partnerships finds those of a person by the ids in the person's row.
type partnerships struct {
	partnershipReader
	tx *tx
}

func (r partnerships) Load(
	ctx context.Context, ids []person.PartnershipID,
) (map[person.PartnershipID]person.Partnership, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.partnerships.table, ids, func(p person.Partnership) person.Partnership { return p }), nil
}

func (r partnerships) Owners(ctx context.Context) ([]person.PartnershipID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var ids []person.PartnershipID
	for p := range s.partnerships.table.ByID.From(0) {
		if p.Row.Role == person.Owner {
			ids = append(ids, p.Row.ID)
		}
	}
	return ids, nil
}

func (r partnerships) AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error) {
	held, err := r.Of(ctx, p.Person)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(held, func(other person.Partnership) bool { return other.Role == p.Role }) {
		return false, nil
	}
	s := r.tx.state
	if s.partnerships.table.Has(p.ID.UUID) {
		return false, fmt.Errorf("memory: partnerships: %w: %s", ports.ErrKnown, p.ID)
	}
	err = s.people.own(s.version).Update(p.Person.UUID, func(row *person.Summary) {
		ids := append(slices.Clone(row.Partnerships), p.ID)
		slices.SortFunc(ids, func(a, b person.PartnershipID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
		row.Partnerships = ids
	})
	if err != nil {
		return false, err
	}
	if err := s.partnerships.own(s.version).Insert(p); err != nil {
		return false, err
	}
	return true, nil
}

func (r partnerships) Of(ctx context.Context, id person.ID) ([]person.Partnership, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	p, ok := s.people.table.ByID.Get(id.UUID)
	if !ok {
		return nil, nil
	}
	held := make([]person.Partnership, len(p.Row.Partnerships))
	for i, id := range p.Row.Partnerships {
		if held[i], err = s.partnerships.table.Get(id.UUID); err != nil {
			return nil, err
		}
	}
	return held, nil
}

func (r partnerships) Remove(ctx context.Context, id person.PartnershipID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	p, err := s.partnerships.table.Get(id.UUID)
	if err != nil {
		return err
	}
	for c := range s.courses.table.ByID.From(0) {
		if instructedBy(id)(c) {
			return fmt.Errorf("memory: the course %s is instructed by the partnership %s", c.Row.ID, id)
		}
	}
	err = s.people.own(s.version).Update(p.Person.UUID, func(row *person.Summary) {
		row.Partnerships = slices.DeleteFunc(slices.Clone(row.Partnerships), func(other person.PartnershipID) bool { return other == id })
	})
	if err != nil {
		return err
	}
	return s.partnerships.own(s.version).Remove(id.UUID)
}
