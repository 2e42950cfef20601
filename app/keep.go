package app

import (
	"context"
	"slices"

	"lyceum/domain/school"
	"lyceum/ports"
)

// keepBatch is how many relations go to the store at once.
const keepBatch = 1000

// keep writes a draft in one transaction, its files before it.
func (u *Provision) keep(ctx context.Context, id school.ID, d draft, progress func(done, total int)) error {
	files, err := u.keepFiles(ctx, d.submissions)
	if err == nil {
		err = u.keepRecords(ctx, id, d, progress)
	}
	if dropped(err) {
		for _, name := range files { // one that cannot be removed is only in the way
			_ = u.files.Remove(context.WithoutCancel(ctx), name)
		}
	}
	return err
}

func (u *Provision) keepRecords(ctx context.Context, id school.ID, d draft, progress func(done, total int)) error {
	return u.store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		count := &counter{total: d.size(), tell: progress}
		if err := each(ctx, count, d.categories, tx.Categories.Add); err != nil {
			return err
		}
		if err := each(ctx, count, d.coupons, tx.Coupons.Add); err != nil {
			return err
		}
		if err := each(ctx, count, d.people, tx.People.Add); err != nil {
			return err
		}
		for _, p := range d.partnerships {
			_, err := tx.Partnerships.AddIfAbsent(ctx, p)
			if err := count.after(1, err); err != nil {
				return err
			}
		}
		if err := each(ctx, count, d.courses, tx.Courses.Add); err != nil {
			return err
		}
		if err := each(ctx, count, d.groups, tx.Groups.Add); err != nil {
			return err
		}
		if err := keepTaught(ctx, tx, count, d); err != nil {
			return err
		}
		for _, g := range d.groups {
			if _, err := tx.Groups.AddCourses(ctx, g.State().ID, d.held[g.State().ID]); err != nil {
				return err
			}
		}
		if err := batches(ctx, count, d.memberships, tx.Memberships.AddIfAbsent); err != nil {
			return err
		}
		if err := batches(ctx, count, d.enrollments, tx.Enrollments.AddIfAbsent); err != nil {
			return err
		}
		return keepLearned(ctx, tx, count, d.learned)
	})
}

// each adds records one by one.
func each[T any](ctx context.Context, count *counter, records []T, add func(context.Context, T) error) error {
	for _, r := range records {
		if err := count.after(1, add(ctx, r)); err != nil {
			return err
		}
	}
	return nil
}

// batches adds relations many at a time.
func batches[T any](ctx context.Context, count *counter, rows []T, add func(context.Context, []T) (int, error)) error {
	for batch := range slices.Chunk(rows, keepBatch) {
		_, err := add(ctx, batch)
		if err := count.after(len(batch), err); err != nil {
			return err
		}
	}
	return nil
}

// counter tells how far a long write has come.
type counter struct {
	done, total int
	tell        func(done, total int)
}

func (c *counter) after(n int, err error) error {
	c.done += n
	if err == nil && c.tell != nil {
		c.tell(c.done, c.total)
	}
	return err
}
