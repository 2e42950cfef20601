package query

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"lyceum/domain/decimal"
	"lyceum/domain/text"
)

// The errors of parseOperand; each completes a sentence "… is not …".
var (
	errText      = errors.New("valid UTF-8 without NUL")
	errUUID      = errors.New("a UUID of 36 characters")
	errInteger   = errors.New("a whole number (64-bit)")
	errNumber    = errors.New("a valid number")
	errBoolean   = errors.New("true or false")
	errDate      = errors.New("a date such as 2026-01-31")
	errTimestamp = errors.New("a time such as 2026-01-31T15:04:05Z or a date")
)

var integerForm = regexp.MustCompile(`^-?[0-9]+$`)

// parseOperand parses s as an operand of op for attributes of kind k.
func parseOperand(k Kind, op Op, s string) (Value, error) {
	if op == Null {
		return parseBoolean(s)
	}
	switch k {
	case UUID, UUIDs:
		return parseUUID(s)
	case Integer:
		return parseInteger(s)
	case Number:
		return parseNumber(s)
	case Boolean:
		return parseBoolean(s)
	case Date:
		return parseDate(s, errDate)
	case Timestamp:
		return parseTimestamp(op, s)
	}
	return parseText(s)
}

func parseText(s string) (Value, error) {
	if !isText(s) {
		return Value{}, errText
	}
	return Value{Text: s, Fold: text.Fold(s)}, nil
}

// isText reports whether s can be compared with stored text.
func isText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

func parseUUID(s string) (Value, error) {
	id, ok := text.UUID(s)
	if !ok {
		return Value{}, errUUID
	}
	return Value{ID: id}, nil
}

func parseInteger(s string) (Value, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || !integerForm.MatchString(s) {
		return Value{}, errInteger
	}
	return Value{Int: n}, nil
}

func parseNumber(s string) (Value, error) {
	n, ok := decimal.Parse(s, maxNumber, maxExponent)
	if !ok {
		return Value{}, errNumber
	}
	return Value{Num: n}, nil
}

func parseBoolean(s string) (Value, error) {
	switch strings.ToLower(s) {
	case "true", "t", "1":
		return Value{Bool: true}, nil
	case "false", "f", "0":
		return Value{Bool: false}, nil
	}
	return Value{}, errBoolean
}
