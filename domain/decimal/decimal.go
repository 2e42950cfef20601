// Package decimal parses and formats exact decimal numbers. Such numbers are stored as integers in
// a small unit: percentages in hundredths of a percent, fractions in millionths.
package decimal

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// numberForm matches a JSON number and captures its exponent.
var numberForm = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?$`)

// Parse parses a JSON number of at most maxLength characters, with an exponent from -maxExponent to
// maxExponent, and reports whether s is such a number. It checks the limits before it calculates,
// because a short number such as 1e999999999 could exhaust the memory.
func Parse(s string, maxLength, maxExponent int) (*big.Rat, bool) {
	form := numberForm.FindStringSubmatch(s)
	if form == nil || len(s) > maxLength {
		return nil, false
	}
	if form[1] != "" {
		if e, err := strconv.Atoi(form[1]); err != nil || e > maxExponent || e < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

// Format returns the value of units, counted in steps of 10 to the power of -decimals, as a JSON
// number without trailing zeros: Format(1250, 2) is 12.5.
func Format(units int64, decimals int) string {
	digits := strconv.FormatInt(units, 10)
	sign := ""
	if units < 0 {
		sign, digits = "-", digits[1:]
	}
	if short := decimals + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	whole, rest := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if rest == "" {
		return sign + whole
	}
	return sign + whole + "." + rest
}

// Rat returns the value of units, counted in steps of 10 to the power of -decimals, as an exact
// number.
func Rat(units int64, decimals int) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Rat).SetFrac(big.NewInt(units), scale)
}
