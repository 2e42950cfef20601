package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// deliveries tests ports.DeliveryRepo and Schools.DeleteExpiredDeliveries.
func deliveries(t *testing.T, b Backend) {
	t.Run("Save replaces the counter and the last delivery to an address", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, bob := w.newDelivery("ada@example.test", 0), w.newDelivery("bob@example.test", 0)
		day, last, err := w.delivered(ada.Address)
		is.Equal(day, invitation.Day{}) // before the first delivery
		is.Equal(last, invitation.Delivery{})
		is.True(isNotFound(err))
		later := w.newDelivery("ada@example.test", -time.Hour)
		for i, d := range []invitation.Delivery{ada, bob, later} {
			want := invitation.Day{Start: fake.Start.Truncate(24 * time.Hour).Add(time.Duration(i) * 24 * time.Hour), Messages: i + 1}
			is.NoErr(w.saveDelivery(want, d))
			day, last, err := w.delivered(d.Address)
			is.NoErr(err)
			is.Equal(day, want)
			is.Equal(last, d)
		}
		_, last, err = w.delivered(bob.Address)
		is.NoErr(err)
		is.Equal(last, bob)
	})

	t.Run("Another school has its own counter and deliveries", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.newDelivery("ada@example.test", 0)
		before, _, _ := w.otherTenant.delivered(ada.Address)
		is.NoErr(w.saveDelivery(invitation.Day{Start: fake.Start, Messages: 7}, ada))
		day, _, err := w.otherTenant.delivered(ada.Address)
		is.Equal(day, before)
		is.True(isNotFound(err))
	})

	t.Run("A rolled-back transaction changes neither counter nor deliveries", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.newDelivery("ada@example.test", 0)
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Deliveries.Save(ctx, invitation.Day{Start: fake.Start, Messages: 7}, ada); err != nil {
				return err
			}
			return errDropped
		})
		is.True(errors.Is(err, errDropped))
		day, _, err := w.delivered(ada.Address)
		is.Equal(day, invitation.Day{})
		is.True(isNotFound(err))
	})

	t.Run("GetDayForUpdate blocks another GetDayForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		n := 0
		for _, err := range atOnce(func(int) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				day, err := tx.Deliveries.GetDayForUpdate(ctx)
				if err != nil {
					return err
				}
				time.Sleep(2 * time.Millisecond)
				day.Start, day.Messages = fake.Start, day.Messages+1
				return tx.Deliveries.Save(ctx, day, w.newDelivery("ada@example.test", 0))
			})
		}) {
			is.NoErr(err)
			n++
		}
		day, _, err := w.delivered(w.newDelivery("ada@example.test", 0).Address)
		is.NoErr(err)
		is.Equal(day.Messages, n)
	})

	t.Run("DeleteExpiredDeliveries deletes the expired deliveries of all schools, up to limit; the counters remain", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		const age = 150_000 * time.Hour // older than the deliveries of other tests
		day := invitation.Day{Start: fake.Start, Messages: 3}
		young := w.newDelivery("young@example.test", age-time.Second)
		is.NoErr(w.saveDelivery(day, young))
		old := w.newDelivery("old@example.test", age)
		is.NoErr(w.saveDelivery(day, old))
		is.NoErr(w.saveDelivery(day, w.newDelivery("older@example.test", age+time.Hour)))
		is.NoErr(w.otherTenant.saveDelivery(day, w.otherTenant.newDelivery("old@example.test", age)))
		swept := 0
		for range 3 {
			n, err := w.schools.DeleteExpiredDeliveries(w.ctx(), fake.Start.Add(-age), 2)
			is.NoErr(err)
			is.True(n <= 2)
			swept += n
		}
		is.Equal(swept, 3)
		kept, _, err := w.delivered(old.Address)
		is.True(isNotFound(err))
		is.Equal(kept, day)
		_, last, err := w.delivered(young.Address)
		is.NoErr(err)
		is.Equal(last, young)
		n, err := w.schools.DeleteExpiredDeliveries(w.ctx(), young.At, 9)
		is.NoErr(err)
		is.Equal(n, 1)
	})
}

// newDelivery returns a delivery to email whose time is the duration ago before fake.Start.
func (s tenant) newDelivery(email string, ago time.Duration) invitation.Delivery {
	return invitation.Delivery{
		Address: invitation.HashAddress(s.id, email), MessageID: job.ID{UUID: uuid.New()}, At: fake.Start.Add(-ago),
	}
}

// saveDelivery saves a delivery with the day that counts it.
func (s tenant) saveDelivery(day invitation.Day, d invitation.Delivery) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Deliveries.GetDayForUpdate(ctx); err != nil {
			return err
		}
		return tx.Deliveries.Save(ctx, day, d)
	})
}

// delivered returns the school's counter and the last delivery to a. errLast is the error of
// reading the delivery.
func (s tenant) delivered(a invitation.Address) (day invitation.Day, last invitation.Delivery, errLast error) {
	s.t.Helper()
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		if day, err = tx.Deliveries.GetDayForUpdate(ctx); err != nil {
			return err
		}
		last, errLast = tx.Deliveries.Last(ctx, a)
		return nil
	})
	return day, last, errLast
}

// deliveryMethods contains the methods of ports.DeliveryRepo.
var deliveryMethods = []portMethod{
	{port: "Deliveries", method: "GetDayForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture) (any, error) {
		return nil, second(tx.Deliveries.GetDayForUpdate(ctx))
	}},
	{port: "Deliveries", method: "Last", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.Deliveries.Last(ctx, theirs.delivery.Address))
	}},
	{port: "Deliveries", method: "Save", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Deliveries.Save(ctx, invitation.Day{Start: fake.Start, Messages: 1}, theirs.delivery)
	}},
}
