package lists

import (
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/test/conformance/storetest/fixture"
)

// opsOf contains the predicates of each kind of attribute.
var opsOf = map[query.Kind][]query.Op{
	query.Text: {
		query.Eq, query.NotEq, query.Cont, query.NotCont, query.Start, query.End,
		query.Lt, query.Lteq, query.Gt, query.Gteq, query.Null,
	},
	query.UUID:      {query.Eq, query.NotEq, query.Null},
	query.UUIDs:     {query.Eq, query.NotEq, query.Null},
	query.Token:     {query.Eq, query.NotEq, query.Null},
	query.Integer:   {query.Eq, query.NotEq, query.Lt, query.Lteq, query.Gt, query.Gteq, query.Null},
	query.Number:    {query.Eq, query.NotEq, query.Lt, query.Lteq, query.Gt, query.Gteq, query.Null},
	query.Boolean:   {query.Eq, query.NotEq, query.Null},
	query.Date:      {query.Eq, query.NotEq, query.Lt, query.Lteq, query.Gt, query.Gteq, query.Null},
	query.Timestamp: {query.Eq, query.NotEq, query.Lt, query.Lteq, query.Gt, query.Gteq, query.Null},
}

var opNames = map[query.Op]string{
	query.Eq: "eq", query.NotEq: "not_eq", query.Cont: "cont", query.NotCont: "not_cont", query.Start: "start",
	query.End: "end", query.Lt: "lt", query.Lteq: "lteq", query.Gt: "gt", query.Gteq: "gteq", query.Null: "null",
}

// fragments contains texts for comparison with names: parts of hostile texts, and characters with a
// special meaning in pattern languages.
var fragments = []string{
	"", "a", "É", "e\u0301", "emile z", "İ", "ss", "ς", "ﷺ", "%", "_", `\`, "a_b", "'", "שלום", "🎓", "\U0010ffff",
}

// ordered returns the attributes that clients can sort the list by.
func ordered[T any](s query.Schema[T]) []query.Attr {
	return slices.DeleteFunc(s.Attrs(), func(a query.Attr) bool { return !a.Kind.Ordered() })
}

// rowValues contains values that occur in rows. Tests use them as operands.
type rowValues struct {
	ids     []uuid.UUID
	numbers []int64
	keys    []string // row ids that are Tokens
	words   []string
}

// operands returns operands for a condition on the attribute: values in rows, fragments of such
// values, and values that no row has.
func operands(attr query.Attr, op query.Op, in rowValues) []query.Value {
	if op == query.Null {
		return []query.Value{{Bool: true}, {Bool: false}}
	}
	switch attr.Kind {
	case query.UUID, query.UUIDs:
		values := []query.Value{{ID: uuid.Nil}, {ID: uuid.Max}}
		for _, id := range in.ids {
			values = append(values, query.Value{ID: id})
		}
		return values
	case query.Integer:
		values := []query.Value{{Int: math.MinInt64}, {Int: math.MaxInt64}}
		for n := range int64(7) {
			values = append(values, query.Value{Int: n - 1})
		}
		for _, n := range in.numbers {
			values = append(values, query.Value{Int: n})
		}
		return values
	case query.Number:
		return numbers()
	case query.Boolean:
		return []query.Value{{Bool: true}, {Bool: false}}
	case query.Date:
		return days()
	case query.Timestamp:
		return spans()
	}
	var values []query.Value
	for i, s := range slices.Concat(fragments, in.words, in.keys) {
		values = append(values, textValue(s))
		if attr.Prefix != "" || attr.Suffix != "" {
			whole := []string{attr.Prefix + s + attr.Suffix, attr.Prefix + s, s + attr.Suffix}
			values = append(values, textValue(whole[i%3]))
		}
	}
	return values
}

func textValue(s string) query.Value { return query.Value{Text: s, Fold: text.Fold(s)} }

// spans returns the time ranges of operands, which are a millisecond, a second or a day long. Some
// ranges are close to the times in rows, other ranges far from them.
func spans() []query.Value {
	var values []query.Value
	for _, m := range moments { // in order, so that duplicates are adjacent
		values = append(values, query.Value{From: m, To: m.Add(time.Millisecond)})
	}
	for _, length := range []time.Duration{time.Second, 24 * time.Hour} {
		for _, m := range moments {
			from := m.Truncate(length)
			values = append(values, query.Value{From: from, To: from.Add(length)})
		}
	}
	values = slices.CompactFunc(values, func(a, b query.Value) bool { return a.From.Equal(b.From) && a.To.Equal(b.To) })
	for _, year := range []int{0, 1, 1969, 9999} {
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		last := time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)
		values = append(values, query.Value{From: first, To: first.AddDate(0, 0, 1)}, query.Value{From: last, To: last.AddDate(0, 0, 1)})
	}
	return values
}

// days returns the spans that are whole days, like the operands for dates.
func days() []query.Value {
	return slices.DeleteFunc(spans(), func(v query.Value) bool {
		return !v.From.Equal(fixture.DayOf(v.From)) || !v.To.Equal(v.From.AddDate(0, 0, 1))
	})
}

// numbers returns the amounts, percentages and fractions that rows have, values close to them, and
// values that no row has.
func numbers() []query.Value {
	texts := slices.Concat(Amounts, []string{
		"50", "0.5", "1", "0.01", "33.33", "33.3", "66.67", "99.995", "0.333333", "0.000001", "9223372036854775807",
		"0", "-1", "0.00010000000000000000000000000000000000000001", "10.4999", "10.50001", "99.9900", "100.00000001", "1e30", "-1e-30",
	})
	values := make([]query.Value, len(texts))
	for i, s := range texts {
		n, _ := new(big.Rat).SetString(s)
		values[i] = query.Value{Num: n}
	}
	return values
}
