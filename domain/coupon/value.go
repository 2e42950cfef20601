package coupon

import (
	"math/big"

	"lyceum/domain/decimal"
	"lyceum/domain/fault"
)

// Value is the amount of a discount, in ten-thousandths.
type Value int64

const (
	decimals = 4
	one      = 10_000 // the Value 1
	hundred  = 100 * one

	// MaxValue is the maximum value of a coupon.
	MaxValue Value = 1_000_000_000 * one

	// Limits for decimal.Parse.
	maxDigits   = 100
	maxExponent = 100
)

// ParseValue parses a JSON number such as 12.5 or 1e2. The value must have at most 4 decimal
// places, be greater than 0 and be at most MaxValue.
func ParseValue(number string) (Value, error) {
	n, ok := decimal.Parse(number, maxDigits, maxExponent)
	if !ok {
		return 0, fault.Invalidf("value", "is not a valid number, such as 12.5")
	}
	n.Mul(n, big.NewRat(one, 1))
	switch {
	case !n.IsInt():
		return 0, fault.Invalidf("value", "has too many decimal places (maximum is %d)", decimals)
	case !n.Num().IsInt64(): // far outside the range; only the sign decides which fault it is
		return checkValue(Value(n.Sign()) * (MaxValue + 1))
	}
	return checkValue(Value(n.Num().Int64()))
}

// checkValue returns v, or a fault unless v is above 0 and at most MaxValue.
func checkValue(v Value) (Value, error) {
	switch {
	case v <= 0:
		return 0, fault.Invalidf("value", "must be greater than 0")
	case v > MaxValue:
		return 0, fault.Invalidf("value", "must be at most %s", MaxValue)
	}
	return v, nil
}

// Rat returns the exact value.
func (v Value) Rat() *big.Rat { return big.NewRat(int64(v), one) }

// String returns the value as a JSON number without trailing zeros.
func (v Value) String() string { return decimal.Format(int64(v), decimals) }
