package decimal

import "math/big"

// Percent is a percentage in hundredths of a percent, so that 10000 is 100%.
type Percent int64

// OneHundred is 100%.
const OneHundred Percent = 10000

const percentDecimals = 2

// PercentOf returns part as a percentage of whole, rounded half up to two decimal places. It
// returns 0 if whole is 0. Neither count may be negative.
func PercentOf(part, whole int) Percent {
	if whole == 0 {
		return 0
	}
	return Percent((2*int64(part)*int64(OneHundred) + int64(whole)) / (2 * int64(whole)))
}

// String returns the percentage as a JSON number without trailing zeros.
func (p Percent) String() string { return Format(int64(p), percentDecimals) }

// Whole returns the percentage without decimal places, rounded half up. Less than 100% is at most
// 99, so that only what is complete is 100.
func (p Percent) Whole() int64 {
	if p < OneHundred {
		return min(int64(p+50)/100, 99)
	}
	return int64(p) / 100
}

// Rat returns the percentage as an exact number: 12.5% is 25/2.
func (p Percent) Rat() *big.Rat { return Rat(int64(p), percentDecimals) }
