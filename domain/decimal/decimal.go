// Package decimal writes exact decimal numbers that are kept as whole numbers of
// small units: percentages in hundredths of a percent, fractions in millionths.
package decimal

import (
	"math/big"
	"strconv"
	"strings"
)

// Format returns units, each of which is 10 to the power of -decimals, as a JSON
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

// Rat returns units, each of which is 10 to the power of -decimals, as a
// fraction.
func Rat(units int64, decimals int) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Rat).SetFrac(big.NewInt(units), scale)
}
