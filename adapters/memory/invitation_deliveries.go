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

// DeleteExpiredDeliveries implements ports.Schools.
func (r schools) DeleteExpiredDeliveries(ctx context.Context, until time.Time, most int) (int, error) {
	return sweep(ctx, r, most, func(s *state, n int) []invitation.Address { return s.deliveriesUntil(until, n) },
		func(s *state, a invitation.Address) error {
			s.deliveries.writable(s.version).Remove(a)
			return nil
		})
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
