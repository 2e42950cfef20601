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

// RelationshipOp is an operation of a request on a to-many relationship.
type RelationshipOp uint8

// Operations on a to-many relationship.
const (
	AddRelated     RelationshipOp = iota + 1 // add the given records
	ReplaceRelated                           // replace all related records with the given records
	RemoveRelated                            // remove the given records
)

// apply returns the related records after the operation op. have contains the related records
// before the operation, and named contains the records in the request.
func apply[T comparable](op RelationshipOp, have, named []T) []T {
	switch op {
	case AddRelated:
		return slices.Concat(have, named)
	case RemoveRelated:
		return slices.DeleteFunc(slices.Clone(have), func(id T) bool { return slices.Contains(named, id) })
	}
	return named
}

// Categories returns a function that changes the categories of a course. If a category does not
// exist, nothing changes.
func (u *Courses) Categories(op RelationshipOp) func(context.Context, Actor, course.ID, []category.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []category.ID) error {
		return u.changeRelated(ctx, a, id, func(ctx context.Context, tx ports.Tx, c *course.Course) (bool, error) {
			if _, err := usecase.GetAllForShare(ctx, tx.Categories, ids); err != nil {
				return false, err
			}
			changed, err := c.SetCategories(apply(op, c.State().Categories, ids)...)
			return changed, fault.OnField("data", err)
		})
	}
}

// Instructors returns a function that changes the instructors of a course. If a partnership does
// not exist, nothing changes.
func (u *Courses) Instructors(op RelationshipOp) func(context.Context, Actor, course.ID, []person.PartnershipID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.PartnershipID) error {
		return u.changeRelated(ctx, a, id, func(ctx context.Context, tx ports.Tx, c *course.Course) (bool, error) {
			if _, err := usecase.GetAllForShare(ctx, tx.Partnerships, ids); err != nil {
				return false, err
			}
			changed, err := c.SetInstructors(apply(op, c.State().Instructors, ids)...)
			return changed, fault.OnField("data", err)
		})
	}
}

// changeRelated changes a course and saves it if edit reports true.
func (u *Courses) changeRelated(
	ctx context.Context, a Actor, id course.ID, edit func(context.Context, ports.Tx, *course.Course) (bool, error),
) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return u.change(ctx, tx, a, id, u.deps.Clock.Now(), func(c *course.Course) (bool, error) { return edit(ctx, tx, c) })
	})
}
