package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.PropertyRepo = properties{}

var propertyKind = ordered.Kind[property.State]{
	Name:   property.Type,
	Schema: property.Schema,
	ID:     func(d *property.State) uuid.UUID { return d.ID.UUID },
	Clone: func(d property.State) property.State {
		d.Options = slices.Clone(d.Options)
		return d
	},
	Unique: []ordered.Unique[property.State]{
		{Field: propertyKey, Text: keyOfProperty, Key: func(key string) string { return key }},
	},
}

// propertyKey is the name of the unique text of a definition (see keyOfProperty). The text is not
// an attribute of the schema.
const propertyKey = "key"

func keyOfProperty(d *property.State) string { return d.Resource.String() + "." + d.Name }

var propertyEntity = entity[property.ID, property.State, property.Definition]{
	table:   func(s *state) *versioned[*ordered.Table[property.State]] { return &s.properties },
	restore: property.Restore,
	write:   func(row *property.State, d property.Definition) { *row = d.State() },
}

// defined returns the definitions for the resource r for which include returns true, in the order
// of their names.
func (s *state) defined(r property.Resource, include func(property.State) bool) []property.State {
	var all []property.State
	for d := range s.properties.table.ByID.From(0) {
		if d.Row.Resource == r && include(d.Row) {
			all = append(all, propertyKind.Clone(d.Row))
		}
	}
	slices.SortFunc(all, func(a, b property.State) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// definedNames returns the names of the properties that are defined for the resource r, sorted.
func (s *state) definedNames(r property.Resource) []string {
	if s.properties.table.ByID.Len() == 0 {
		return nil
	}
	var names []string
	for d := range s.properties.table.ByID.From(0) {
		if d.Row.Resource == r {
			names = append(names, d.Row.Name)
		}
	}
	slices.Sort(names)
	return names
}

func anyDefinition(property.State) bool { return true }

type propertyReader struct {
	tableReader[property.ID, property.State]
}

// Defined implements ports.PropertyReader.
func (r propertyReader) Defined(ctx context.Context, of property.Resource) ([]property.State, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.defined(of, anyDefinition), nil
}

type properties struct {
	entityRepo[property.ID, property.State, property.Definition]
}

// Defined implements ports.PropertyReader.
func (r properties) Defined(ctx context.Context, of property.Resource) ([]property.State, error) {
	return propertyReader{r.tableReader}.Defined(ctx, of)
}

// NamedForShare implements ports.PropertyRepo.
func (r properties) NamedForShare(ctx context.Context, of property.Resource, names []string) ([]property.State, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.defined(of, func(d property.State) bool { return slices.Contains(names, d.Name) }), nil
}

// Add implements ports.PropertyRepo.
func (r properties) Add(ctx context.Context, d property.Definition) error {
	return onName(r.entityRepo.Add(ctx, d))
}

// Save implements ports.PropertyRepo.
func (r properties) Save(ctx context.Context, d property.Definition) error {
	return onName(r.entityRepo.Save(ctx, d))
}

// onName replaces a fault about the unique key with one on the field name. It returns other errors
// unchanged.
func onName(err error) error {
	for _, f := range fault.All(err) {
		if f.Holder != nil {
			return fault.Taken("name", f.Holder.Type, f.Holder.ID)
		}
	}
	return err
}

// Delete implements ports.PropertyRepo.
func (r properties) Delete(ctx context.Context, id property.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.properties.writable(s.version).Remove(id.UUID)
}

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
