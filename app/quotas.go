package app

import (
	"context"
	"math"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

// SetQuotas sets the quotas of each school. It is called before anything is added.
func (a *App) SetQuotas(q Quotas) {
	a.quotas = q
	*a.policies = usecase.NewPolicies(a.quotas, a.added)
}

// SetPolicies adds rules to the standard ones, in each school. It is called before any
// use case.
func (a *App) SetPolicies(added policy.Set) {
	a.added = added
	*a.policies = usecase.NewPolicies(a.quotas, a.added)
}

// roomForBytes returns how many bytes the school may still get in tx, and locks the
// school, so that no others are added by another transaction meanwhile. It is called
// before anything else is locked. Without a quota it asks and locks nothing.
func roomForBytes(ctx context.Context, d usecase.Deps, tx ports.Tx) (int64, error) {
	if d.Policies.MaxBytes != 0 {
		if _, err := tx.School.Find(ctx); err != nil {
			return 0, err
		}
	}
	return bytesLeft(ctx, d, tx.School.StoredBytes)
}

// bytesLeft returns how many bytes a quota leaves in addition to those that are used.
func bytesLeft(ctx context.Context, d usecase.Deps, used func(context.Context) (int64, error)) (int64, error) {
	if d.Policies.MaxBytes == 0 {
		return math.MaxInt64, nil
	}
	n, err := used(ctx)
	return max(d.Policies.MaxBytes-n, 0), err
}

// noRoomForFile returns the fault of a file beyond the quota, on a field.
func noRoomForFile(d usecase.Deps, field string) error {
	return fault.Invalidf(field, "cannot be kept: the files of the school may have %d bytes in all at most", d.Policies.MaxBytes)
}

// measure finds out how much the school may still get. A dry run locks nothing.
func (m *importing) measure(ctx context.Context) error {
	var err error
	switch {
	case m.load != nil:
		tx := m.load.Tx()
		if m.creations, err = admission.NewCreations(ctx, m.rules, tx.School, false); err == nil {
			m.freeBytes, err = roomForBytes(ctx, m.deps, tx)
		}
	case m.made != nil:
		m.creations = admission.CreationsIn(m.rules, *m.made, 0)
		m.freeBytes, err = bytesLeft(ctx, m.deps, func(context.Context) (int64, error) { return 0, nil })
	default:
		r := m.deps.Store.Read(m.school).School
		var s school.School
		if s, err = r.Get(ctx); err != nil {
			return err
		}
		var people int64
		if m.rules.Create.Need() == policy.Count {
			if people, err = r.CountPeople(ctx); err != nil {
				return err
			}
		}
		m.creations = admission.CreationsIn(m.rules, s, people)
		m.freeBytes, err = bytesLeft(ctx, m.deps, r.StoredBytes)
	}
	return err
}
