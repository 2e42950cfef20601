package query

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// appendEdge appends the value of one key of a cursor: its length plus one, then its bytes. Null is
// a single zero.
func appendEdge(b []byte, a Attr, v Value) []byte {
	if v.Null {
		return append(b, 0)
	}
	raw := edgeText(a, v)
	return append(binary.AppendVarint(b, int64(len(raw))+1), raw...)
}

func edgeText(a Attr, v Value) string {
	switch a.Kind {
	case Text:
		return v.Fold
	case UUID:
		return string(v.ID[:])
	case Integer:
		return strconv.FormatInt(v.Int, 10)
	case Number:
		digits, _ := v.Num.FloatPrec() // exact: stored numbers are decimals
		return v.Num.FloatString(digits)
	case Boolean:
		return strconv.FormatBool(v.Bool)
	case Date, Timestamp:
		return strconv.FormatInt(v.From.UnixMilli(), 10)
	}
	return v.Text
}

// edgeReader reads what appendEdge wrote. A cursor comes from a client, so each value is checked
// like an operand of a filter. After an error edgeReader returns zero values.
type edgeReader struct {
	rest []byte
	err  error
}

// number reads a positive number.
func (r *edgeReader) number() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 || n < 1 {
		r.err = errCursor
		return 1
	}
	r.rest = r.rest[size:]
	return n
}

// value reads a value of the attribute a.
func (r *edgeReader) value(a Attr) Value {
	if len(r.rest) > 0 && r.rest[0] == 0 && a.Nullable {
		r.rest = r.rest[1:]
		return Value{Null: true}
	}
	n := r.number() - 1
	if r.err != nil || n > int64(len(r.rest)) {
		r.err = errCursor
		return Value{}
	}
	raw := string(r.rest[:n])
	r.rest = r.rest[n:]
	v, err := parseEdge(a, raw)
	if err != nil {
		r.err = err
	}
	return v
}

func parseEdge(a Attr, raw string) (Value, error) {
	switch a.Kind {
	case Text:
		if !isText(raw) {
			return Value{}, errText
		}
		return Value{Fold: raw}, nil
	case UUID:
		id, err := uuid.FromBytes([]byte(raw))
		return Value{ID: id}, err
	case Integer:
		return parseInteger(raw)
	case Number:
		return parseNumber(raw)
	case Boolean:
		return parseBoolean(raw)
	case Date, Timestamp:
		return parseEdgeTime(raw)
	}
	if !isText(raw) || a.Parts > 0 && !isComposite(raw, a.Parts) {
		return Value{}, errText
	}
	return Value{Text: raw}, nil
}

// parseEdgeTime parses milliseconds since 1970. The time must be in the years 0 to 9999.
func parseEdgeTime(raw string) (Value, error) {
	ms, err := strconv.ParseInt(raw, 10, 64)
	at := time.UnixMilli(ms).UTC()
	if err != nil || ms < yearZero.UnixMilli() || ms >= yearEnd.UnixMilli() {
		return Value{}, errTimestamp
	}
	return Value{From: at}, nil
}

var (
	yearZero = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	yearEnd  = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// isComposite reports whether s consists of the given number of canonical UUIDs, joined by colons.
func isComposite(s string, parts int) bool {
	words := strings.Split(s, ":")
	if len(words) != parts {
		return false
	}
	for _, w := range words {
		if id, ok := text.UUID(w); !ok || id.String() != w {
			return false
		}
	}
	return true
}
