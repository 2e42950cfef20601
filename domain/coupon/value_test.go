package coupon_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"pgregory.net/rapid"
)

func TestParseValue(t *testing.T) {
	for number, want := range map[string]string{
		"1": "1", "10": "10", "100.00": "100", "12.50": "12.5", "0.0001": "0.0001", "1e2": "100", "12.5E-1": "1.25",
		"0.00010000000000": "0.0001", "1000000000": "1000000000", "999999999.9999": "999999999.9999", "10.05": "10.05",
	} {
		t.Run(number, func(t *testing.T) {
			is := is.New(t)
			v, err := coupon.ParseValue(number)
			is.NoErr(err)
			is.Equal(v.String(), want)
		})
	}
}

func TestParseValueInvalid(t *testing.T) {
	const (
		noNumber = "is not a valid number, such as 12.5"
		positive = "must be greater than 0"
		bounded  = "must be at most 1000000000"
		exact    = "has too many decimal places (maximum is 4)"
	)
	for number, want := range map[string]string{
		"": noNumber, "x": noNumber, "01": noNumber, ".5": noNumber, "1.": noNumber, "+1": noNumber, " 1": noNumber, "1,5": noNumber,
		"0x10": noNumber, "1/2": noNumber, "NaN": noNumber, "1e999999999": noNumber, "1e99999999999999999999": noNumber,
		"1e-101": noNumber, strings.Repeat("1", 101): noNumber,
		"0": positive, "-0": positive, "-1": positive, "-1e90": positive, "0.0000": positive,
		"1000000000.0001": bounded, "1e10": bounded, "1e100": bounded, strings.Repeat("9", 100): bounded,
		"0.00001": exact, "12.34567": exact, "1e-5": exact, "-0.00001": exact,
	} {
		t.Run(number, func(t *testing.T) {
			is := is.New(t)
			_, err := coupon.ParseValue(number)
			is.True(err != nil)
			is.Equal(err.Error(), "invalid: value: "+want)
		})
	}
}

// String returns a JSON number without trailing zeros that parses to the same value and equals Rat.
func TestValueRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.Int64Range(1, int64(coupon.MaxValue)).Draw(r, "ten-thousandths")
		v, err := coupon.ParseValue(fmt.Sprintf("%d.%04d", n/10_000, n%10_000))
		if err != nil || int64(v) != n {
			r.Fatal(v, err)
		}
		printed := v.String()
		again, err := coupon.ParseValue(printed)
		if err != nil || again != v {
			r.Fatal(printed, err)
		}
		if !json.Valid([]byte(printed)) || strings.Contains(printed, ".") && strings.HasSuffix(printed, "0") {
			r.Fatal(printed)
		}
		if v.Rat().Cmp(big.NewRat(n, 10_000)) != 0 {
			r.Fatal(v.Rat())
		}
	})
}
