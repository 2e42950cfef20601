// Package property defines properties: attributes of people, courses, groups and the school that
// each school defines for itself. A Definition determines which values a property can have; Values
// contains the properties of one record. Start with Definition and Values.Update.
package property

import (
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// Type is the resource type of property definitions in documents and faults.
const Type = "property_definitions"

// MaxDefinitions is the maximum number of definitions of a school for one resource.
const MaxDefinitions = 50

// ID identifies a definition.
type ID struct{ uuid.UUID }

// Definition is a property that a school has defined for a resource. Its name is unique for the
// school and the resource, which the store enforces.
type Definition struct{ s State }

// State is the plain record of a definition.
type State struct {
	ID                   ID
	Resource             Resource
	Name                 string
	Kind                 Kind
	Options              []string // the possible values for the kind OneOf, in the given order; nil for other kinds
	Filterable           bool     // whether lists can be filtered and sorted by the property
	CreatedAt, UpdatedAt time.Time
}

// Params is what a new definition is created from.
type Params struct {
	Resource   Resource // required
	Name       string
	Kind       Kind // required
	Options    []string
	Filterable bool
}

// New returns a definition. The resource and the kind must not be zero. All faults in p are
// returned together.
func New(id ID, p Params, now time.Time) (Definition, error) {
	options, errOptions := checkOptions(p.Kind, p.Options)
	err := fault.Join(required("resource", p.Resource.name), checkName(p.Name), required("kind", p.Kind.name), errOptions)
	if err != nil {
		return Definition{}, err
	}
	return Definition{State{
		ID: id, Resource: p.Resource, Name: p.Name, Kind: p.Kind, Options: options, Filterable: p.Filterable,
		CreatedAt: now, UpdatedAt: now,
	}}, nil
}

func required(field, value string) error {
	if value == "" {
		return fault.Blank(field)
	}
	return nil
}

// Restore returns the definition that a store saved as s.
func Restore(s State) Definition { return Definition{s} }

// State returns the definition's record.
func (d Definition) State() State {
	s := d.s
	s.Options = slices.Clone(s.Options)
	return s
}

// DefinitionChanges contains new values for the attributes of a definition. A nil field leaves its
// attribute unchanged.
type DefinitionChanges struct {
	Resource   *Resource // must equal the resource of the definition
	Name       *string   // must equal the name of the definition
	Kind       *Kind
	Options    *[]string // nil: unchanged, or removed if the new kind is not OneOf
	Filterable *bool
}

// Update applies c and reports whether the definition changed. Only a change sets UpdatedAt. All
// faults are returned together; if there are any, nothing is changed. A store must not update the
// definition if a record has a value that Lost returns.
func (d *Definition) Update(c DefinitionChanges, now time.Time) (changed bool, err error) {
	s := d.s
	if c.Kind != nil {
		s.Kind = *c.Kind
	}
	if c.Filterable != nil {
		s.Filterable = *c.Filterable
	}
	options := s.Options
	switch {
	case c.Options != nil:
		options = *c.Options
	case s.Kind != OneOf:
		options = nil
	}
	var errOptions error
	s.Options, errOptions = checkOptions(s.Kind, options)
	err = fault.Join(
		fixed("resource", c.Resource, d.s.Resource), fixed("name", c.Name, d.s.Name), required("kind", s.Kind.name), errOptions,
	)
	if err != nil || s.Kind == d.s.Kind && s.Filterable == d.s.Filterable && slices.Equal(s.Options, d.s.Options) {
		return false, err
	}
	s.UpdatedAt = now
	d.s = s
	return true, nil
}

// fixed returns a fault if sent differs from value. It is for attributes that cannot be changed.
func fixed[V comparable](field string, sent *V, value V) error {
	if sent != nil && *sent != value {
		return fault.Invalidf(field, "cannot be changed: it is %v", value)
	}
	return nil
}

// Lost returns which values become invalid when the definition changes from before to after: all
// values, or the returned options.
func Lost(before, after State) (all bool, options []string) {
	if before.Kind != after.Kind {
		return true, nil
	}
	for _, o := range before.Options {
		if !slices.Contains(after.Options, o) {
			options = append(options, o)
		}
	}
	return false, options
}

// CheckLoss returns a fault unless records is 0. all is the first result of Lost, and records is
// the number of records with a value that becomes invalid.
func CheckLoss(all bool, records int64) error {
	switch {
	case records == 0:
		return nil
	case all:
		return fault.Invalidf("kind", "cannot be changed while records have a value (currently %d)", records)
	}
	return fault.Invalidf("values", "must include every value in use (records with a missing value: %d)", records)
}
