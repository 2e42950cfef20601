package memory

import (
	"bytes"
	"context"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/ports"
)

var _ ports.DeliveryRepo = deliveries{}

func compareAddresses(a, b invitation.Address) int { return bytes.Compare(a[:], b[:]) }

type deliveries struct{ tx *tx }

// GetDayForUpdate implements ports.DeliveryRepo. Transactions of a school run one
// after the other.
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
		return invitation.Delivery{}, fault.Missing()
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
	s.deliveries.own(s.version).Set(l.Address, l)
	return nil
}

// SweepDeliveries implements ports.Schools. It takes the schools one after the other.
func (r schools) SweepDeliveries(ctx context.Context, until time.Time, most int) (int, error) {
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
			table := s.deliveries.own(s.version)
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
	return swept, alive(ctx)
}

// deliveriesUntil returns the addresses of at most so many deliveries that were at
// that time or before. It visits all of a day.
func (s *state) deliveriesUntil(until time.Time, most int) (old []invitation.Address) {
	for d := range s.deliveries.table.From(0) {
		if len(old) == most {
			break
		}
		if !d.At.After(until) {
			old = append(old, d.Address)
		}
	}
	return old
}
