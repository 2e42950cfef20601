package coupon_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
)

func TestParseDay(t *testing.T) {
	for text, want := range map[string]time.Time{
		"1970-01-01": day(1970, 1, 1), "2024-02-29": day(2024, 2, 29), "9999-12-31": day(9999, 12, 31),
	} {
		t.Run(text, func(t *testing.T) {
			is := is.New(t)
			got, err := coupon.ParseDay("start_on", text)
			is.NoErr(err)
			is.Equal(got, want)
		})
	}
}

func TestParseDayInvalid(t *testing.T) {
	const (
		noDate = "is not a valid date, such as 2026-01-31"
		years  = "must be between the years 1970 and 9999"
	)
	for text, want := range map[string]string{
		"": "can't be blank", " ": noDate, "2026-02-29": noDate, "2026-1-2": noDate, "2026-01-31T00:00:00Z": noDate, "31.01.2026": noDate,
		"10000-01-01": noDate, "tomorrow": noDate, "0000-01-01": years, "0001-01-01": years, "1969-12-31": years,
	} {
		t.Run(text, func(t *testing.T) {
			is := is.New(t)
			_, err := coupon.ParseDay("end_on", text)
			is.True(err != nil)
			is.Equal(err.Error(), "invalid: end_on: "+want)
		})
	}
}
