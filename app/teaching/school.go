package teaching

import (
	"context"

	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// School returns the school with its settings.
func (t *Teaching) School(ctx context.Context, s Staff) (school.Summary, error) {
	a, err := s.owner()
	if err != nil {
		return school.Summary{}, err
	}
	return t.app.School.Get(ctx, a)
}

// UpdateSchool changes the settings of the school.
func (t *Teaching) UpdateSchool(ctx context.Context, s Staff, e school.Changes) (school.Summary, error) {
	a, err := s.owner()
	if err != nil {
		return school.Summary{}, err
	}
	return t.app.School.Update(ctx, a, e)
}

// Properties returns a page of the definitions of properties.
func (t *Teaching) Properties(ctx context.Context, s Staff, q query.Query) (query.Result[property.State], error) {
	a, err := s.owner()
	if err != nil {
		return query.Result[property.State]{}, err
	}
	return t.app.Properties.List(ctx, a, q)
}

// DefinedProperties returns all properties that the school has defined for a resource.
func (t *Teaching) DefinedProperties(ctx context.Context, s Staff, r property.Resource) ([]property.State, error) {
	return t.app.Properties.Defined(ctx, s.actor.PermitStaff(), r)
}
