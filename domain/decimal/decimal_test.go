package decimal_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/decimal"
	"pgregory.net/rapid"
)

func TestFormat(t *testing.T) {
	for _, tc := range []struct {
		units    int64
		decimals int
		want     string
	}{
		{0, 2, "0"},
		{1, 2, "0.01"},
		{10, 2, "0.1"},
		{1250, 2, "12.5"},
		{10000, 2, "100"},
		{-1, 2, "-0.01"},
		{-1250, 2, "-12.5"},
		{1, 6, "0.000001"},
		{333_333, 6, "0.333333"},
		{1_000_000, 6, "1"},
		{7, 0, "7"},
		{70, 0, "70"},
		{math.MaxInt64, 2, "92233720368547758.07"},
		{math.MinInt64, 2, "-92233720368547758.08"},
	} {
		t.Run(tc.want, func(t *testing.T) {
			is.New(t).Equal(decimal.Format(tc.units, tc.decimals), tc.want)
		})
	}
}

// Format returns a JSON number without trailing zeros that equals Rat.
func TestFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units, decimals := rapid.Int64().Draw(t, "units"), rapid.IntRange(0, 9).Draw(t, "decimals")
		got := decimal.Format(units, decimals)
		var number json.Number
		if err := json.Unmarshal([]byte(got), &number); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if strings.Contains(got, ".") && strings.HasSuffix(got, "0") || strings.HasSuffix(got, ".") {
			t.Fatalf("%s has trailing zeros or a trailing point", got)
		}
		read, ok := new(big.Rat).SetString(got)
		want := new(big.Rat).SetFrac(big.NewInt(units), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
		if !ok || read.Cmp(want) != 0 || decimal.Rat(units, decimals).Cmp(want) != 0 {
			t.Fatalf("%s is not %s", got, want)
		}
	})
}

func TestPercentOf(t *testing.T) {
	for _, tc := range []struct {
		part, whole int
		want        string
	}{
		{0, 0, "0"},
		{3, 0, "0"},
		{0, 3, "0"},
		{1, 3, "33.33"},
		{2, 3, "66.67"},
		{1, 6, "16.67"},
		{1, 7, "14.29"},
		{1, 8, "12.5"},
		{1, 800, "0.13"}, // 0.125 is rounded up
		{3, 800, "0.38"}, // 0.375 is rounded up
		{1, 16, "6.25"},
		{1, 20000, "0.01"}, // 0.005 is rounded up
		{1, 20001, "0"},
		{19999, 20000, "100"}, // 99.995 is rounded up
		{3, 3, "100"},
		{500, 500, "100"},
	} {
		t.Run(tc.want, func(t *testing.T) {
			is.New(t).Equal(decimal.PercentOf(tc.part, tc.whole).String(), tc.want)
		})
	}
}

// PercentOf rounds half up to two decimal places.
func TestPercentOfIsRoundedHalfUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.IntRange(1, 1<<40).Draw(t, "whole")
		part := rapid.IntRange(0, whole).Draw(t, "part")
		exact := big.NewRat(int64(part), int64(whole))
		exact.Mul(exact, big.NewRat(100, 1))
		// The exact value must be in [got - 1/200, got + 1/200).
		off := new(big.Rat).Sub(exact, decimal.PercentOf(part, whole).Rat())
		if off.Cmp(big.NewRat(-1, 200)) < 0 || off.Cmp(big.NewRat(1, 200)) >= 0 {
			t.Fatalf("%d of %d is %s", part, whole, decimal.PercentOf(part, whole))
		}
	})
}

func TestPercentRat(t *testing.T) {
	is := is.New(t)
	is.Equal(decimal.Percent(1250).Rat().RatString(), "25/2")
	is.Equal(decimal.OneHundred.Rat().RatString(), "100")
	is.Equal(decimal.OneHundred.String(), "100")
}

func TestPercentWholeIsRounded(t *testing.T) {
	is := is.New(t)
	for p, want := range map[decimal.Percent]int64{0: 0, 49: 0, 50: 1, 149: 1, 3333: 33, 6667: 67, 9949: 99, 9950: 99, 9999: 99, decimal.OneHundred: 100} {
		is.Equal(p.Whole(), want)
	}
}
