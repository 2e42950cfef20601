package app

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/ports"
)

// heldError is why a job was not tried: it waits, and the attempt does not count.
type heldError struct{ invitation.Hold }

func (e *heldError) Error() string { return e.Cause }

// claim counts the delivery d against the limits of its school, or returns why it is
// held. Deliveries of one school wait for each other here, on all instances.
func (u *Invitations) claim(ctx context.Context, tx ports.Tx, d invitation.Delivery) (*heldError, error) {
	day, err := tx.Deliveries.GetDayForUpdate(ctx)
	if err != nil {
		return nil, err
	}
	last, err := tx.Deliveries.Last(ctx, d.Address)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	if d.Retries(last) {
		return nil, nil
	}
	day, hold := u.limits.Claim(d, last, day)
	if hold != nil {
		return &heldError{*hold}, nil
	}
	return nil, tx.Deliveries.Save(ctx, day, d)
}

// Sweep removes the oldest deliveries of all schools that are past their lifetime
// and reports whether there may be more.
func (u *Invitations) Sweep(ctx context.Context) (bool, error) {
	n, err := u.deps.Schools.SweepDeliveries(ctx, u.deps.Clock.Now().Add(-invitation.DeliveryLifetime), sweepSize)
	return n == sweepSize, err
}
