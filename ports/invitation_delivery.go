package ports

import (
	"context"

	"lyceum/domain/invitation"
)

// DeliveryRepo counts the invitation emails of a school and stores the last one for each address,
// identified by the hash of the address. The records are kept when the people are deleted.
type DeliveryRepo interface {
	// GetDayForUpdate returns the school's counter and locks it for update. Before the first Save
	// the counter is the zero Day.
	GetDayForUpdate(ctx context.Context) (invitation.Day, error)

	// Last returns the last delivery to the address, or NotFound if there is none.
	Last(ctx context.Context, a invitation.Address) (invitation.Delivery, error)

	// Save replaces the school's counter and the last delivery to the address of l. The caller must
	// hold the lock of GetDayForUpdate.
	Save(ctx context.Context, d invitation.Day, l invitation.Delivery) error
}
