package redemption_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/test/conformance/schematest"
)

var now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)

func nth(n byte) uuid.UUID { return uuid.UUID{15: n} }

func TestRedeem(t *testing.T) {
	is := is.New(t)
	c := coupon.Restore(coupon.State{ID: coupon.ID{UUID: nth(2)}, Enabled: true, StartOn: now, UsagesCount: 4, MaximumUsages: 5})
	made, err := redemption.Redeem(redemption.ID{UUID: nth(1)}, &c, person.ID{UUID: nth(3)}, now)
	is.NoErr(err)
	is.Equal(made, redemption.Redemption{
		ID: redemption.ID{UUID: nth(1)}, Coupon: coupon.ID{UUID: nth(2)}, Person: person.ID{UUID: nth(3)}, CreatedAt: now,
	})
	is.Equal(c.State().UsagesCount, int64(5))

	none, err := redemption.Redeem(redemption.ID{UUID: nth(4)}, &c, person.ID{UUID: nth(3)}, now)
	is.True(fault.Is(err, fault.Invalid))
	is.Equal(none, redemption.Redemption{})
	is.Equal(c.State().UsagesCount, int64(5))
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	full := redemption.Summary{
		Redemption: redemption.Redemption{
			ID: redemption.ID{UUID: nth(1)}, Coupon: coupon.ID{UUID: nth(2)}, Person: person.ID{UUID: nth(3)}, CreatedAt: now,
		},
		PersonName: "Ada King", PersonEmail: "ada@example.test",
	}
	schematest.Attributes(t, redemption.Schema, full, map[string]string{
		"uuid":       nth(1).String(),
		"created_at": "2026-01-31T15:04:05.123Z",
		"coupon.id":  nth(2).String(),
		"person.id":  nth(3).String(),
	})
	schematest.Search(t, redemption.Schema, full, []string{"king", "example.test", "ada king"}, []string{"grace"})
	is.Equal(schematest.Order(redemption.Schema), "-created_at")
}
