package property

import (
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// MaxText is the maximum length of a text, in characters.
const MaxText = 1000

// maxNotation limits the length and the exponent of a number in a request.
const maxNotation = 64

// rawForm is the form in which a client sent a value.
type rawForm uint8

const (
	rawNull rawForm = iota
	rawText
	rawNumber
	rawBoolean
	rawCell
	rawOther
)

// Raw is a value as the client sent it, before the definition of its property is known. The zero
// Raw is null.
type Raw struct {
	form  rawForm
	text  string
	truth bool
}

// RawText returns a text as a Raw.
func RawText(s string) Raw { return Raw{form: rawText, text: s} }

// RawNumber returns a number in JSON notation as a Raw.
func RawNumber(notation string) Raw { return Raw{form: rawNumber, text: notation} }

// RawBoolean returns a boolean as a Raw.
func RawBoolean(truth bool) Raw { return Raw{form: rawBoolean, truth: truth} }

// RawCell returns a text that can represent a value of any kind, such as a cell of a CSV file, as a
// Raw. A blank cell is null.
func RawCell(s string) Raw { return Raw{form: rawCell, text: s} }

// RawOther returns the Raw for an array or an object, which is not valid for any property.
func RawOther() Raw { return Raw{form: rawOther} }

// JSON returns r as JSON, for RawsOf to read. A cell becomes a string, and an array or an object
// becomes an empty object.
func (r Raw) JSON() string {
	switch r.form {
	case rawText, rawCell:
		var b strings.Builder
		writeText(&b, r.text)
		return b.String()
	case rawNumber:
		return r.text
	case rawBoolean:
		return BooleanValue(r.truth).JSON()
	case rawOther:
		return "{}"
	}
	return "null"
}

// Raw returns v in the form of a request that sets the property to v.
func (v Value) Raw() Raw {
	if v.IsNull() {
		return Raw{}
	}
	return RawCell(v.String())
}

// value converts r to a value of the property s, or returns a fault. Null and a blank text become
// null.
func (s State) value(field string, r Raw) (Value, error) {
	if r.form == rawNull || (r.form == rawText || r.form == rawCell) && strings.TrimSpace(r.text) == "" {
		return Value{}, nil
	}
	switch s.Kind {
	case Number:
		return number(field, r)
	case Boolean:
		return boolean(field, r)
	}
	if r.form != rawText && r.form != rawCell {
		return Value{}, fault.Invalidf(field, "must be a string")
	}
	trimmed := strings.TrimSpace(r.text)
	switch s.Kind {
	case Date:
		return date(field, trimmed)
	case OneOf:
		for _, o := range s.Options {
			if o == trimmed {
				return TextValue(o), nil
			}
		}
		return Value{}, fault.Invalidf(field, "must be one of: %s", strings.Join(s.Options, ", "))
	}
	if err := text.CheckText(field, trimmed); err != nil {
		return Value{}, err
	}
	if utf8.RuneCountInString(trimmed) > MaxText {
		return Value{}, fault.Invalidf(field, "is too long (maximum is %d characters)", MaxText)
	}
	return TextValue(trimmed), nil
}

func number(field string, r Raw) (Value, error) {
	if r.form != rawNumber && r.form != rawCell {
		return Value{}, fault.Invalidf(field, "must be a number")
	}
	n, ok := decimal.Parse(strings.TrimSpace(r.text), maxNotation, maxNotation)
	if !ok {
		return Value{}, fault.Invalidf(field, "is not a valid number, such as 12.5")
	}
	if n.Cmp(big.NewRat(MaxNumber, 1)) > 0 || n.Cmp(big.NewRat(-MaxNumber, 1)) < 0 {
		return Value{}, fault.Invalidf(field, "must be between -%d and %d", MaxNumber, MaxNumber)
	}
	v, ok := ExactNumber(n)
	if !ok {
		return Value{}, fault.Invalidf(field, "has too many decimal places (maximum is %d)", Decimals)
	}
	return v, nil
}

func boolean(field string, r Raw) (Value, error) {
	cell := strings.ToLower(strings.TrimSpace(r.text))
	switch {
	case r.form == rawBoolean:
		return BooleanValue(r.truth), nil
	case r.form == rawCell && (cell == "true" || cell == "false"):
		return BooleanValue(cell == "true"), nil
	}
	return Value{}, fault.Invalidf(field, "must be true or false")
}

func date(field, s string) (Value, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil || day.Year() < 1 {
		return Value{}, fault.Invalidf(field, "is not a valid date, such as 2026-01-31")
	}
	return TextValue(s), nil
}
