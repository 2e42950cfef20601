package app

import (
	"context"
	"errors"
	"math"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// SetQuotas sets the quotas of each school. It is called before anything is added.
func (a *App) SetQuotas(q Quotas) { *a.quotas = q }

// unbounded is the room of a school without a quota.
const unbounded = math.MaxInt64

// roomForPeople returns how many people may be added in tx, and locks the school, so
// that no others are added by another transaction meanwhile. It is called before
// anything else is locked. Without a quota it asks and locks nothing.
func roomForPeople(ctx context.Context, d usecase.Deps, tx ports.Tx) (int64, error) {
	return room(ctx, tx, d.Quotas.People, tx.School.CountPeople)
}

// roomForBytes is roomForPeople for the bytes of files.
func roomForBytes(ctx context.Context, d usecase.Deps, tx ports.Tx) (int64, error) {
	return room(ctx, tx, d.Quotas.Bytes, tx.School.StoredBytes)
}

func room(ctx context.Context, tx ports.Tx, quota int64, used func(context.Context) (int64, error)) (int64, error) {
	if quota != 0 {
		if _, err := tx.School.Find(ctx); err != nil {
			return 0, err
		}
	}
	return left(ctx, quota, used)
}

// left returns what a quota leaves beside what is used.
func left(ctx context.Context, quota int64, used func(context.Context) (int64, error)) (int64, error) {
	if quota == 0 {
		return unbounded, nil
	}
	n, err := used(ctx)
	return max(quota-n, 0), err
}

// measure finds out how much the school may still get. What only looks locks nothing.
func (m *importing) measure(ctx context.Context) error {
	var errPeople, errBytes error
	switch {
	case m.load != nil:
		tx := m.load.Tx()
		m.freePeople, errPeople = roomForPeople(ctx, m.deps, tx)
		m.freeBytes, errBytes = roomForBytes(ctx, m.deps, tx)
	default:
		people, bytes := nothing, nothing // of a school that is to be made
		if m.school != (school.ID{}) {
			r := m.deps.Store.Read(m.school).School
			people, bytes = r.CountPeople, r.StoredBytes
		}
		m.freePeople, errPeople = left(ctx, m.deps.Quotas.People, people)
		m.freeBytes, errBytes = left(ctx, m.deps.Quotas.Bytes, bytes)
	}
	return errors.Join(errPeople, errBytes)
}

func nothing(context.Context) (int64, error) { return 0, nil }

// noRoomForPerson returns the fault of a person beyond the quota, on a field.
func noRoomForPerson(d usecase.Deps, field string) error {
	return fault.Invalidf(field, "cannot be added: the school may have %d people at most", d.Quotas.People)
}

// noRoomForFile returns the fault of a file beyond the quota, on a field.
func noRoomForFile(d usecase.Deps, field string) error {
	return fault.Invalidf(field, "cannot be kept: the files of the school may have %d bytes in all at most", d.Quotas.Bytes)
}
