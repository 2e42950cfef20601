package ports

import (
	"context"

	"lyceum/domain/invitation"
)

// DeliveryRepo records how many invitation emails a school sends, and the last one
// for each address, known by its hash. The records outlive the people.
type DeliveryRepo interface {
	// GetDayForUpdate returns the school's counter, the zero Day before the first
	// Save. Until the end of the transaction another one that gets it waits.
	GetDayForUpdate(ctx context.Context) (invitation.Day, error)

	// Last returns the last delivery to the address, NotFound if there is none.
	Last(ctx context.Context, a invitation.Address) (invitation.Delivery, error)

	// Save replaces the school's counter and the last delivery to the address of l.
	// The caller holds the lock of GetDayForUpdate.
	Save(ctx context.Context, d invitation.Day, l invitation.Delivery) error
}
