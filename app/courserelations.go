package app

import (
	"context"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// Relating is what a request does with the related records that it names.
type Relating uint8

// What can be done with related records.
const (
	Attach  Relating = iota + 1 // add them to those that there are
	Replace                     // let them take the place of all that there are
	Detach                      // take them away from those that there are
)

// apply returns what becomes of the related records that there are.
func apply[T comparable](how Relating, have, named []T) []T {
	switch how {
	case Attach:
		return slices.Concat(have, named)
	case Detach:
		return slices.DeleteFunc(slices.Clone(have), func(id T) bool { return slices.Contains(named, id) })
	}
	return named
}

// Categories changes what a course stands under: all of it or, when a category
// is unknown, nothing.
func (u *Courses) Categories(how Relating) func(context.Context, Actor, course.ID, []category.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []category.ID) error {
		return u.relate(ctx, a, id, func(ctx context.Context, tx ports.Tx, c *course.Course) (bool, error) {
			if _, err := usecase.LoadCategories(ctx, tx, ids); err != nil {
				return false, err
			}
			changed, err := c.File(apply(how, c.State().Categories, ids)...)
			return changed, fault.At("data", err)
		})
	}
}

// Instructors changes who instructs a course, as Categories does.
func (u *Courses) Instructors(how Relating) func(context.Context, Actor, course.ID, []person.PartnershipID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.PartnershipID) error {
		return u.relate(ctx, a, id, func(ctx context.Context, tx ports.Tx, c *course.Course) (bool, error) {
			if _, err := usecase.LoadPartnerships(ctx, tx, ids); err != nil {
				return false, err
			}
			changed, err := c.Staff(apply(how, c.State().Instructors, ids)...)
			return changed, fault.At("data", err)
		})
	}
}

// relate keeps what change makes of a course, unless it is as before.
func (u *Courses) relate(
	ctx context.Context, a Actor, id course.ID, change func(context.Context, ports.Tx, *course.Course) (bool, error),
) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Courses.Find(ctx, id)
		if err != nil {
			return err
		}
		changed, err := change(ctx, tx, &c)
		if err != nil || !changed {
			return err
		}
		return tx.Courses.Save(ctx, c)
	})
}
