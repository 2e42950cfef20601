package coupon

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"lyceum/domain/fault"
)

// Value is how much a coupon takes off, exactly, in ten-thousandths.
type Value int64

const (
	decimals = 4
	one      = 10_000 // a Value of 1
	hundred  = 100 * one

	// MaxValue is the largest value of a coupon.
	MaxValue Value = 1_000_000_000 * one

	// Bounds on how a number is written. They come before any calculation: a few
	// characters such as 1e999999999 would fill the memory.
	maxDigits   = 100
	maxExponent = 100
)

// numberForm is a number as JSON writes it, with its exponent.
var numberForm = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?$`)

// ParseValue returns the value that a JSON number, such as 12.5 or 1e2, stands
// for. It has at most 4 decimals, is above 0 and at most MaxValue.
func ParseValue(number string) (Value, error) {
	form := numberForm.FindStringSubmatch(number)
	if form == nil || len(number) > maxDigits {
		return 0, fault.Invalidf("value", "is not a number of sensible size, such as 12.5")
	}
	if form[1] != "" {
		if e, err := strconv.Atoi(form[1]); err != nil || e > maxExponent || e < -maxExponent {
			return 0, fault.Invalidf("value", "is not a number of sensible size, such as 12.5")
		}
	}
	n, _ := new(big.Rat).SetString(number) // the form is right
	n.Mul(n, big.NewRat(one, 1))
	switch {
	case !n.IsInt():
		return 0, fault.Invalidf("value", "has more than %d decimals", decimals)
	case !n.Num().IsInt64():
		return within(Value(n.Sign()) * (MaxValue + 1))
	}
	return within(Value(n.Num().Int64()))
}

// within refuses a value that is out of bounds.
func within(v Value) (Value, error) {
	switch {
	case v <= 0:
		return 0, fault.Invalidf("value", "must be greater than 0")
	case v > MaxValue:
		return 0, fault.Invalidf("value", "must be at most %s", MaxValue)
	}
	return v, nil
}

// Rat returns the value as a number to compare with.
func (v Value) Rat() *big.Rat { return big.NewRat(int64(v), one) }

// String returns the value as JSON writes a number, without trailing zeros.
func (v Value) String() string {
	return strings.TrimSuffix(strings.TrimRight(v.Rat().FloatString(decimals), "0"), ".")
}
