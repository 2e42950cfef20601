package coupon

import (
	"strings"

	"lyceum/domain/fault"
)

// Format is the unit of a coupon's value.
type Format struct{ name string }

// The formats.
var (
	Fixed      = Format{"fixed"}      // an amount in the coupon's currency
	Percentage = Format{"percentage"} // percent of the price, above 0 and at most 100
)

// ParseFormat returns the format with the given name.
func ParseFormat(name string) (Format, error) {
	switch strings.TrimSpace(name) {
	case "":
		return Format{}, fault.Blank("format")
	case Fixed.name:
		return Fixed, nil
	case Percentage.name:
		return Percentage, nil
	}
	return Format{}, fault.Invalidf("format", "must be one of: fixed, percentage")
}

// String returns the format's name.
func (f Format) String() string { return f.name }
