package property

import (
	"math/big"
	"time"

	"lyceum/domain/decimal"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// Decimals is the maximum number of decimals of a number.
const Decimals = 6

// MaxNumber is the largest number, and the smallest is its negative. All numbers are exact in an
// int64 of millionths.
const MaxNumber = 1_000_000_000_000

const unitsPerOne = 1_000_000

// form is how a value is stored: as one of the scalars of JSON.
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
	fold  string // text.Fold of text
	units int64  // millionths
	truth bool
}

// TextValue returns the value of a text, a date or an option. A blank text is null.
func TextValue(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{form: textForm, text: s, fold: text.Fold(s)}
}

// NumberValue returns the value of a number in millionths.
func NumberValue(units int64) Value { return Value{form: numberForm, units: units} }

// ExactNumber returns the value of a number, and whether it has at most Decimals decimals and is in
// the range of the values.
func ExactNumber(n *big.Rat) (Value, bool) {
	units := new(big.Rat).Mul(n, big.NewRat(unitsPerOne, 1))
	if !units.IsInt() || !units.Num().IsInt64() {
		return Value{}, false
	}
	return NumberValue(units.Num().Int64()), true
}

// BooleanValue returns the value of a boolean.
func BooleanValue(truth bool) Value { return Value{form: booleanForm, truth: truth} }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.form == 0 }

// String returns v as text: a number without trailing zeros, true or false, blank for null.
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

// Fold returns the text.Fold of a text, and whether v is one.
func (v Value) Fold() (string, bool) { return v.fold, v.form == textForm }

// queried returns v as an attribute of the given kind, null if v is not of that kind.
func (v Value) queried(kind query.Kind) query.Value {
	switch {
	case kind == query.Text && v.form == textForm:
		return query.Value{Text: v.text, Fold: v.fold}
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
