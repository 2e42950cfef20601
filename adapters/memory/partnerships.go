package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
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

type partnershipReader = tableReader[person.PartnershipID, person.Partnership]

func partnershipsIn(v view) partnershipReader {
	return partnershipReader{view: v, table: func(s *state) *versioned[*ordered.Table[person.Partnership]] { return &s.partnerships }}
}

// partnerships reads and writes partnerships. The row of each person contains the ids of their
// partnerships.
type partnerships struct {
	partnershipReader
	tx *tx
}

// GetManyForShare implements ports.PartnershipRepo.
func (r partnerships) GetManyForShare(
	ctx context.Context, ids []person.PartnershipID,
) (map[person.PartnershipID]person.Partnership, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.partnerships.table, ids, func(p person.Partnership) person.Partnership { return p }), nil
}

// ExistsForShare implements ports.PartnershipRepo.
func (r partnerships) ExistsForShare(ctx context.Context, id person.PartnershipID) (bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return false, err
	}
	return s.partnerships.table.Has(id.UUID), nil
}

// InstructsForShare implements ports.PartnershipRepo.
func (r partnerships) InstructsForShare(ctx context.Context, id person.PartnershipID, in course.ID) (bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return false, err
	}
	c, err := s.courses.table.Get(in.UUID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return slices.Contains(c.Instructors, id), err
}

// OwnersForUpdate implements ports.PartnershipRepo.
func (r partnerships) OwnersForUpdate(ctx context.Context) ([]person.PartnershipID, error) {
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

// AddIfAbsent implements ports.PartnershipRepo.
func (r partnerships) AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error) {
	held, err := r.ByPerson(ctx, p.Person)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(held, func(other person.Partnership) bool { return other.Role == p.Role }) {
		return false, nil
	}
	s := r.tx.state
	if s.partnerships.table.Has(p.ID.UUID) {
		return false, fmt.Errorf("memory: partnerships: %w: %s", ports.ErrExists, p.ID)
	}
	err = s.people.writable(s.version).Update(p.Person.UUID, func(row *person.Summary) {
		ids := append(slices.Clone(row.Partnerships), p.ID)
		ordered.SortIDs(ids)
		row.Partnerships = ids
	})
	if err != nil {
		return false, err
	}
	err = s.partnerships.writable(s.version).Insert(p)
	return err == nil, err
}

// ByPerson implements ports.PartnershipRepo.
func (r partnerships) ByPerson(ctx context.Context, id person.ID) ([]person.Partnership, error) {
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

// Delete implements ports.PartnershipRepo.
func (r partnerships) Delete(ctx context.Context, id person.PartnershipID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	p, err := s.partnerships.table.Get(id.UUID)
	if err != nil {
		return err
	}
	if in := coursesWith(s, id, instructorsOf); len(in) > 0 {
		return fmt.Errorf("memory: the course %s is instructed by the partnership %s", in[0], id)
	}
	err = s.people.writable(s.version).Update(p.Person.UUID, func(row *person.Summary) {
		row.Partnerships = without(row.Partnerships, id)
	})
	if err != nil {
		return err
	}
	return s.partnerships.writable(s.version).Remove(id.UUID)
}
