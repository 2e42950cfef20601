package schools

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Deliveries tests ports.DeliveryRepo and Schools.DeleteExpiredDeliveries.
func Deliveries(t *testing.T, b fixture.Backend) {
	t.Run("Save replaces the counter and the last delivery to an address", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, bob := w.NewDelivery("ada@example.test", 0), w.NewDelivery("bob@example.test", 0)
		day, last, err := delivered(w.Tenant, ada.Address)
		is.Equal(day, invitation.Day{}) // before the first delivery
		is.Equal(last, invitation.Delivery{})
		is.True(fixture.IsNotFound(err))
		later := w.NewDelivery("ada@example.test", -time.Hour)
		for i, d := range []invitation.Delivery{ada, bob, later} {
			want := invitation.Day{Start: fake.Start.Truncate(24 * time.Hour).Add(time.Duration(i) * 24 * time.Hour), Messages: i + 1}
			is.NoErr(w.SaveDelivery(want, d))
			day, last, err := delivered(w.Tenant, d.Address)
			is.NoErr(err)
			is.Equal(day, want)
			is.Equal(last, d)
		}
		_, last, err = delivered(w.Tenant, bob.Address)
		is.NoErr(err)
		is.Equal(last, bob)
	})

	t.Run("Another school has its own counter and deliveries", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.NewDelivery("ada@example.test", 0)
		before, _, _ := delivered(w.OtherTenant, ada.Address)
		is.NoErr(w.SaveDelivery(invitation.Day{Start: fake.Start, Messages: 7}, ada))
		day, _, err := delivered(w.OtherTenant, ada.Address)
		is.Equal(day, before)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("A rolled-back transaction changes neither counter nor deliveries", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.NewDelivery("ada@example.test", 0)
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Deliveries.Save(ctx, invitation.Day{Start: fake.Start, Messages: 7}, ada); err != nil {
				return err
			}
			return fixture.ErrDropped
		})
		is.True(errors.Is(err, fixture.ErrDropped))
		day, _, err := delivered(w.Tenant, ada.Address)
		is.Equal(day, invitation.Day{})
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetDayForUpdate blocks another GetDayForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		n := 0
		for _, err := range fixture.AtOnce(func(int) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				day, err := tx.Deliveries.GetDayForUpdate(ctx)
				if err != nil {
					return err
				}
				time.Sleep(2 * time.Millisecond)
				day.Start, day.Messages = fake.Start, day.Messages+1
				return tx.Deliveries.Save(ctx, day, w.NewDelivery("ada@example.test", 0))
			})
		}) {
			is.NoErr(err)
			n++
		}
		day, _, err := delivered(w.Tenant, w.NewDelivery("ada@example.test", 0).Address)
		is.NoErr(err)
		is.Equal(day.Messages, n)
	})

	t.Run("DeleteExpiredDeliveries deletes the expired deliveries of all schools, up to limit; the counters remain", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		const age = 150_000 * time.Hour // older than the deliveries of other tests
		day := invitation.Day{Start: fake.Start, Messages: 3}
		young := w.NewDelivery("young@example.test", age-time.Second)
		is.NoErr(w.SaveDelivery(day, young))
		old := w.NewDelivery("old@example.test", age)
		is.NoErr(w.SaveDelivery(day, old))
		is.NoErr(w.SaveDelivery(day, w.NewDelivery("older@example.test", age+time.Hour)))
		is.NoErr(w.OtherTenant.SaveDelivery(day, w.OtherTenant.NewDelivery("old@example.test", age)))
		swept := 0
		for range 3 {
			n, err := w.Schools.DeleteExpiredDeliveries(w.Context(), fake.Start.Add(-age), 2)
			is.NoErr(err)
			is.True(n <= 2)
			swept += n
		}
		is.Equal(swept, 3)
		kept, _, err := delivered(w.Tenant, old.Address)
		is.True(fixture.IsNotFound(err))
		is.Equal(kept, day)
		_, last, err := delivered(w.Tenant, young.Address)
		is.NoErr(err)
		is.Equal(last, young)
		n, err := w.Schools.DeleteExpiredDeliveries(w.Context(), young.At, 9)
		is.NoErr(err)
		is.Equal(n, 1)
	})
}

// delivered returns the school's counter and the last delivery to a. errLast is the error of
// reading the delivery.
func delivered(s fixture.Tenant, a invitation.Address) (day invitation.Day, last invitation.Delivery, errLast error) {
	s.T.Helper()
	s.Do(func(ctx context.Context, tx ports.Tx) (err error) {
		if day, err = tx.Deliveries.GetDayForUpdate(ctx); err != nil {
			return err
		}
		last, errLast = tx.Deliveries.Last(ctx, a)
		return nil
	})
	return day, last, errLast
}
