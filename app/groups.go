package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Groups manages groups.
type Groups struct{ deps usecase.Deps }

// List returns a page of groups.
func (u *Groups) List(ctx context.Context, a Actor, q query.Query) (query.Result[group.Summary], error) {
	return u.deps.Read(a).Groups.List(ctx, q)
}

// ListWithCourses returns a page of the groups that have one of the given courses.
func (u *Groups) ListWithCourses(ctx context.Context, a Actor, courses []course.ID, q query.Query) (query.Result[group.Summary], error) {
	return u.deps.Read(a).Groups.ListWithCourses(ctx, courses, q)
}

// Get returns the group with the given id, or NotFound if it does not exist.
func (u *Groups) Get(ctx context.Context, a Actor, id group.ID) (group.Summary, error) {
	return u.deps.Read(a).Groups.Get(ctx, id)
}

// CourseIDs returns the courses of groups, ordered by ID, as a map by group that omits groups
// without courses.
func (u *Groups) CourseIDs(ctx context.Context, a Actor, ids []group.ID) (held map[group.ID][]course.ID, err error) {
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		held, err = tx.Groups.CourseIDs(ctx, ids)
		return err
	})
	return held, err
}

// Create adds a group with the given attributes.
func (u *Groups) Create(ctx context.Context, a Actor, e group.Changes) (group.Summary, error) {
	id, token, now := group.ID{UUID: u.deps.IDs.New()}, u.deps.NewToken(), u.deps.Clock.Now()
	name := ""
	if e.Name != nil {
		name = *e.Name
	}
	var made group.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		e := e
		if err := usecase.DefineProperties(ctx, tx.Properties, property.Groups, &e.Properties); err != nil {
			return err
		}
		g, err := group.New(id, name, token, now)
		_, errProperties := g.Update(group.Changes{Properties: e.Properties}, now)
		if err := fault.Join(err, errProperties); err != nil {
			return err
		}
		if err := tx.Groups.Add(ctx, g); err != nil {
			return err
		}
		made, err = tx.Groups.Get(ctx, id)
		return err
	})
	return made, err
}

// Update changes a group and returns the updated group.
func (u *Groups) Update(ctx context.Context, a Actor, id group.ID, e group.Changes) (group.Summary, error) {
	now := u.deps.Clock.Now()
	var after group.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		e := e
		if err := usecase.DefineProperties(ctx, tx.Properties, property.Groups, &e.Properties); err != nil {
			return err
		}
		_, err := usecase.Update(ctx, tx.Groups, id, func(g *group.Group) (bool, error) { return g.Update(e, now) })
		if err != nil {
			return err
		}
		after, err = tx.Groups.Get(ctx, id)
		return err
	})
	return after, err
}

// Delete deletes a group and its memberships. Enrollments remain.
func (u *Groups) Delete(ctx context.Context, a Actor, id group.ID) error {
	return inBatches(ctx, u.deps, a, func(ctx context.Context, tx ports.Tx) (bool, error) {
		if _, err := tx.Groups.GetForUpdate(ctx, id); err != nil {
			return false, err
		}
		done, err := deleteBatch(ctx, tx.Memberships.DeleteByGroup, id, countedBatch)
		if err != nil || !done {
			return false, err
		}
		return true, tx.Groups.Delete(ctx, id)
	})
}
