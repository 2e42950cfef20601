package transfer

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/policy"
	"lyceum/domain/school"
)

// readQuotas sets m.creations, m.by and m.freeBytes, so that the import obeys the quotas. A dry run
// takes no locks.
func (m *importer) readQuotas(ctx context.Context) error {
	var err error
	switch {
	case m.load != nil:
		tx := m.load.Tx()
		if m.creations, err = admission.NewCreations(ctx, m.deps, m.rules, tx.School, m.actor, m.now, false); err == nil {
			m.by, err = m.deps.Request(ctx, tx.School, m.actor, m.now)
		}
		if err == nil {
			m.freeBytes, err = m.deps.RoomForBytes(ctx, tx)
		}
	case m.made != nil:
		m.by = usecase.RequestOf(m.actor, m.now)
		m.deps.SetSchool(&m.by, *m.made)
		m.creations = admission.CreationsIn(m.rules, m.by, *m.made, 0)
		m.freeBytes, err = m.deps.BytesLeft(ctx, func(context.Context) (int64, error) { return 0, nil })
	default:
		r := m.deps.Store.Read(m.school).School
		var s school.School
		if s, err = r.Get(ctx); err != nil {
			return err
		}
		var people int64
		if m.rules.CreatePerson.Needs().Has(policy.Count) {
			if people, err = r.CountPeople(ctx); err != nil {
				return err
			}
		}
		if m.by, err = m.deps.Request(ctx, r, m.actor, m.now); err != nil {
			return err
		}
		m.creations = admission.CreationsIn(m.rules, m.by, s, people)
		m.freeBytes, err = m.deps.BytesLeft(ctx, r.StoredBytes)
	}
	return err
}
