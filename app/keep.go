package app

import (
	"context"

	"lyceum/domain/school"
	"lyceum/ports"
)

// keep writes a draft in one transaction, its files before it.
func (u *Provision) keep(ctx context.Context, id school.ID, d draft) error {
	files, err := u.keepFiles(ctx, d.submissions)
	if err == nil {
		err = u.keepRecords(ctx, id, d)
	}
	if dropped(err) {
		for _, name := range files { // one that cannot be removed is only in the way
			_ = u.files.Remove(context.WithoutCancel(ctx), name)
		}
	}
	return err
}

func (u *Provision) keepRecords(ctx context.Context, id school.ID, d draft) error {
	return u.store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		if err := each(ctx, d.categories, tx.Categories.Add); err != nil {
			return err
		}
		if err := each(ctx, d.coupons, tx.Coupons.Add); err != nil {
			return err
		}
		if err := each(ctx, d.people, tx.People.Add); err != nil {
			return err
		}
		if err := each(ctx, d.redemptions, tx.Redemptions.Add); err != nil {
			return err
		}
		if err := keepInvited(ctx, tx, id, d); err != nil {
			return err
		}
		for _, p := range d.partnerships {
			if _, err := tx.Partnerships.AddIfAbsent(ctx, p); err != nil {
				return err
			}
		}
		if err := each(ctx, d.courses, tx.Courses.Add); err != nil {
			return err
		}
		if err := each(ctx, d.groups, tx.Groups.Add); err != nil {
			return err
		}
		if err := keepTaught(ctx, tx, d); err != nil {
			return err
		}
		for _, g := range d.groups {
			if _, err := tx.Groups.AddCourses(ctx, g.State().ID, d.held[g.State().ID]); err != nil {
				return err
			}
		}
		if _, err := tx.Memberships.AddIfAbsent(ctx, d.memberships); err != nil {
			return err
		}
		if _, err := tx.Enrollments.AddIfAbsent(ctx, d.enrollments); err != nil {
			return err
		}
		return keepLearned(ctx, tx, d.learned)
	})
}

// each adds records one by one.
func each[T any](ctx context.Context, records []T, add func(context.Context, T) error) error {
	for _, r := range records {
		if err := add(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
