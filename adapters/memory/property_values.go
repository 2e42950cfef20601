package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/school"
)

// CountValues implements ports.PropertyRepo.
func (r properties) CountValues(ctx context.Context, d property.State, options []string) (int64, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	return s.countValues(d, func(v property.Value) bool { return options == nil || slices.Contains(options, v.String()) }, false)
}

// RemoveValues implements ports.PropertyRepo.
func (r properties) RemoveValues(ctx context.Context, d property.State) (int64, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	return s.countValues(d, func(property.Value) bool { return true }, true)
}

// countValues returns the number of records that have a value v of the property d for which
// counts(v) is true. If remove is true, it also removes these values.
func (s *state) countValues(d property.State, counts func(property.Value) bool, remove bool) (int64, error) {
	switch d.Resource {
	case property.Courses:
		return countValuesIn(s, &s.courses, d, counts, remove, func(c *course.Summary) *property.Values { return &c.Properties })
	case property.Groups:
		return countValuesIn(s, &s.groups, d, counts, remove, func(g *group.Summary) *property.Values { return &g.Properties })
	case property.School:
		return s.countSchoolValue(d, counts, remove), nil
	case property.People:
		return countValuesIn(s, &s.people, d, counts, remove, func(p *person.Summary) *property.Values { return &p.Properties })
	}
	return 0, nil
}

// countSchoolValue is like countValues, but for the school itself.
func (s *state) countSchoolValue(d property.State, counts func(property.Value) bool, remove bool) int64 {
	own := s.school.State()
	if v := own.Properties.Get(d.Name); v.IsNull() || !counts(v) {
		return 0
	}
	if remove {
		own.Properties = own.Properties.Without(d.Name)
		s.school = school.Restore(own)
	}
	return 1
}

func countValuesIn[T any](
	s *state, rows *versioned[*ordered.Table[T]], d property.State, counts func(property.Value) bool, remove bool,
	properties func(*T) *property.Values,
) (int64, error) {
	var ids []uuid.UUID
	for r := range rows.table.ByID.From(0) {
		row := r.Row
		if v := properties(&row).Get(d.Name); !v.IsNull() && counts(v) {
			ids = append(ids, rows.table.ID(&row))
		}
	}
	if !remove || len(ids) == 0 {
		return int64(len(ids)), nil
	}
	table := rows.writable(s.version)
	for _, id := range ids {
		err := table.Update(id, func(row *T) {
			values := properties(row)
			*values = values.Without(d.Name)
		})
		if err != nil {
			return 0, err
		}
	}
	return int64(len(ids)), nil
}
