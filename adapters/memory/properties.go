package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/property"
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
	for _, d := range s.defined(r, anyDefinition) {
		names = append(names, d.Name)
	}
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
