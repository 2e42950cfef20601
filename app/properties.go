package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Properties manages the definitions of properties.
type Properties struct{ deps usecase.Deps }

// List returns a page of definitions.
func (u *Properties) List(ctx context.Context, a Actor, q query.Query) (query.Result[property.State], error) {
	return u.deps.Read(a).Properties.List(ctx, q)
}

// Get returns the definition with the given id, or NotFound if it does not exist.
func (u *Properties) Get(ctx context.Context, a Actor, id property.ID) (property.State, error) {
	return u.deps.Read(a).Properties.Get(ctx, id)
}

// Defined returns all definitions for the resource r, in the order of their names.
func (u *Properties) Defined(ctx context.Context, a Actor, r property.Resource) ([]property.State, error) {
	return u.deps.Read(a).Properties.Defined(ctx, r)
}

// Create adds a definition. It locks the school, so that concurrent requests cannot exceed the
// maximum number of definitions.
func (u *Properties) Create(ctx context.Context, a Actor, p property.Params) (property.State, error) {
	id, now := property.ID{UUID: u.deps.IDs.New()}, u.deps.Clock.Now()
	var made property.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.GetForUpdate(ctx); err != nil {
			return err
		}
		existing, err := tx.Properties.Defined(ctx, p.Resource)
		if err != nil {
			return err
		}
		d, err := property.New(id, p, now)
		if err := fault.Join(err, property.CheckNumber(len(existing)+1)); err != nil {
			return fault.Join(err, propertyTaken(existing, p.Name))
		}
		made = d.State()
		return tx.Properties.Add(ctx, d)
	})
	return made, err
}

// propertyTaken returns a fault if one of existing has the name. A use case that has already found
// other faults calls it to report all of them together.
func propertyTaken(existing []property.State, name string) error {
	for _, d := range existing {
		if d.Name == name {
			return fault.Taken("name", property.Type, d.ID.UUID)
		}
	}
	return nil
}

// Update changes a definition and returns the updated definition. It returns Invalid if a record
// has a value that would become invalid.
func (u *Properties) Update(ctx context.Context, a Actor, id property.ID, c property.DefinitionChanges) (property.State, error) {
	now := u.deps.Clock.Now()
	var after property.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		d, err := usecase.Update(ctx, tx.Properties, id, func(d *property.Definition) (bool, error) {
			before := d.State()
			changed, err := d.Update(c, now)
			if err != nil {
				return false, err
			}
			all, options := property.Lost(before, d.State())
			if !all && len(options) == 0 {
				return changed, nil
			}
			n, err := tx.Properties.CountValues(ctx, before, options)
			if err != nil {
				return false, err
			}
			return changed, property.CheckLoss(all, n)
		})
		after = d.State()
		return err
	})
	return after, err
}

// Delete deletes a definition if no record has a value of the property. Otherwise it returns a
// Conflict with the number of these records.
func (u *Properties) Delete(ctx context.Context, a Actor, id property.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.GetForUpdate(ctx); err != nil { // the school itself may have a value
			return err
		}
		d, err := tx.Properties.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		n, err := tx.Properties.CountValues(ctx, d.State(), nil)
		if err != nil {
			return err
		}
		if err := d.State().CheckDeletion(n); err != nil {
			return err
		}
		return tx.Properties.Delete(ctx, id)
	})
}

// DeleteAll deletes a definition with the values of all records. It returns the number of these
// records, by resource.
func (u *Properties) DeleteAll(ctx context.Context, a Actor, id property.ID) (map[string]int64, error) {
	var removed map[string]int64
	err := u.deps.InLongTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		defined, err := tx.Properties.Get(ctx, id)
		if err != nil {
			return err
		}
		// The school is locked before the definition, but only if it may have a value: sign-ins wait
		// for this lock.
		if defined.Resource == property.School {
			if _, err := tx.School.GetForUpdate(ctx); err != nil {
				return err
			}
		}
		d, err := tx.Properties.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		if err := u.useAllowance(ctx, tx, a, d.State()); err != nil {
			return err
		}
		n, err := tx.Properties.RemoveValues(ctx, d.State())
		if err != nil {
			return err
		}
		removed = d.State().Counts(n)
		return tx.Properties.Delete(ctx, id)
	})
	return removed, err
}

// useAllowance counts the removal of all values of d toward the allowance of the school, because the
// store saves all other properties of these records again. It returns Unavailable if there are more
// than a few and the allowance is used up. It counts them before the removal, so that requests whose
// clients go away count too.
func (u *Properties) useAllowance(ctx context.Context, tx ports.Tx, a Actor, d property.State) error {
	n, err := tx.Properties.CountValues(ctx, d, nil)
	if err != nil {
		return err
	}
	if err := u.deps.Additions.Check(a.School(), int(n)); err != nil {
		return err
	}
	defined, err := tx.Properties.Defined(ctx, d.Resource)
	if err != nil {
		return err
	}
	size := property.MaxSizeOfOthers(defined, d.ID)
	u.deps.Additions.Use(a.School(), int(n)*(1+size/enrollment.RecordSize))
	return nil
}
