package property

import (
	"math/big"
	"time"

	"lyceum/domain/decimal"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// Decimals is the maximum number of decimal places of a number.
const Decimals = 6

// MaxNumber is the largest valid number; -MaxNumber is the smallest. An int64 can represent every
// number in this range exactly, in millionths.
const MaxNumber = 1_000_000_000_000

const unitsPerOne = 1_000_000

// form is the JSON type with which a value is stored.
type form uint8

const (
	textForm form = iota + 1 // Text, Date, OneOf
	numberForm
	booleanForm
)

// Value is the value of a property. It is immutable; the zero Value is null.
type Value struct {
	form  form
	text  string
	units int64 // millionths
	truth bool
}

// TextValue returns the value for a text, a date or an option. An empty text is null.
func TextValue(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{form: textForm, text: s}
}

// NumberValue returns the value for a number that is given in millionths.
func NumberValue(units int64) Value { return Value{form: numberForm, units: units} }

// ExactNumber returns the value for a number. It reports false if the number has more than Decimals
// decimal places or does not fit into a Value. It does not compare the number with MaxNumber.
func ExactNumber(n *big.Rat) (Value, bool) {
	units := new(big.Rat).Mul(n, big.NewRat(unitsPerOne, 1))
	if !units.IsInt() || !units.Num().IsInt64() {
		return Value{}, false
	}
	return NumberValue(units.Num().Int64()), true
}

// BooleanValue returns the value for a boolean.
func BooleanValue(truth bool) Value { return Value{form: booleanForm, truth: truth} }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.form == 0 }

// String returns v as text: a number without trailing zeros, true or false, or blank for null.
func (v Value) String() string {
	switch v.form {
	case numberForm:
		return decimal.Format(v.units, Decimals)
	case booleanForm:
		if v.truth {
			return "true"
		}
		return "false"
	}
	return v.text
}

// Fold returns text.Fold of the value if v is a text, and reports whether it is. A Value does not
// store its fold, because most values are never searched or sorted.
func (v Value) Fold() (string, bool) { return text.Fold(v.text), v.form == textForm }

// queried returns v as the value of a list attribute of the given kind, or null if v has another
// kind.
func (v Value) queried(kind query.Kind) query.Value {
	switch {
	case kind == query.Text && v.form == textForm:
		return query.Value{Text: v.text, Fold: text.Fold(v.text)}
	case kind == query.Number && v.form == numberForm:
		return query.Value{Num: decimal.Rat(v.units, Decimals)}
	case kind == query.Boolean && v.form == booleanForm:
		return query.Value{Bool: v.truth}
	case kind == query.Date && v.form == textForm:
		if day, err := time.Parse(time.DateOnly, v.text); err == nil {
			return query.Value{From: day}
		}
	}
	return query.Value{Null: true}
}
