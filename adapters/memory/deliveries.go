package memory

import (
	"bytes"
	"context"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/ports"
)

var _ ports.DeliveryRepo = deliveries{}

func compareAddresses(a, b invitation.Address) int { return bytes.Compare(a[:], b[:]) }

type deliveries struct{ tx *tx }

// GetDayForUpdate implements ports.DeliveryRepo.
func (r deliveries) GetDayForUpdate(ctx context.Context) (invitation.Day, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return invitation.Day{}, err
	}
	return s.day, nil
}

// Last implements ports.DeliveryRepo.
func (r deliveries) Last(ctx context.Context, a invitation.Address) (invitation.Delivery, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return invitation.Delivery{}, err
	}
	d, ok := s.deliveries.table.Get(a)
	if !ok {
		return invitation.Delivery{}, fault.RecordNotFound()
	}
	return d, nil
}

// Save implements ports.DeliveryRepo.
func (r deliveries) Save(ctx context.Context, d invitation.Day, l invitation.Delivery) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	s.day = d
	s.deliveries.writable(s.version).Set(l.Address, l)
	return nil
}

// DeleteExpiredDeliveries implements ports.Schools. It processes one school after another.
func (r schools) DeleteExpiredDeliveries(ctx context.Context, until time.Time, most int) (int, error) {
	swept := 0
	for t := range r.store.registry.Load().tenants.From(0) {
		old := t.state.Load().deliveriesUntil(until, most-swept)
		if len(old) == 0 {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			s, err := w.current(ctx)
			if err != nil {
				return err
			}
			old = s.deliveriesUntil(until, most-swept)
			table := s.deliveries.writable(s.version)
			for _, a := range old {
				table.Remove(a)
			}
			return nil
		})
		if err != nil {
			return swept, err
		}
		swept += len(old)
	}
	return swept, ordered.CheckContext(ctx)
}

// deliveriesUntil returns the addresses of at most n deliveries at or before until. It visits every
// delivery.
func (s *state) deliveriesUntil(until time.Time, n int) (old []invitation.Address) {
	for d := range s.deliveries.table.From(0) {
		if len(old) == n {
			break
		}
		if !d.At.After(until) {
			old = append(old, d.Address)
		}
	}
	return old
}
