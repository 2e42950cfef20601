package storetest

import (
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// opsOf is the predicates that the attributes of each kind have.
var opsOf = map[query.Kind][]query.Op{
	query.Text: {
		query.Eq, query.NotEq, query.Cont, query.NotCont, query.Start, query.End,
		query.Lt, query.Lteq, query.Gt, query.Gteq, query.Null,
	},
	query.UUID:      {query.Eq, query.NotEq, query.Null},
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

// fragments is texts to compare names with: parts of hostile ones, and what a
// pattern language would take for something else.
var fragments = []string{
	"", "a", "É", "e\u0301", "emile z", "İ", "ss", "ς", "ﷺ", "%", "_", `\`, "a_b", "'", "שלום", "🎓", "\U0010ffff",
}

// stock is values that rows hold, to compare with.
type stock struct {
	ids     []uuid.UUID
	numbers []int64
	keys    []string // of lists whose keys are Tokens
	words   []string
}

// decimals is numbers at, around and far from the percentages and fractions that
// rows hold.
var decimals = []*big.Rat{
	big.NewRat(0, 1), big.NewRat(100, 1), big.NewRat(50, 1), big.NewRat(-1, 1),
	big.NewRat(1, 2), big.NewRat(1, 1), big.NewRat(1, 100), big.NewRat(3333, 100), big.NewRat(333, 10), big.NewRat(6667, 100),
	big.NewRat(333333, 1_000_000), big.NewRat(1, 1_000_000), new(big.Rat).SetInt64(math.MaxInt64), big.NewRat(99995, 1000),
}

// operands returns values to compare the attribute with: those in stock,
// fragments, or others.
func operands(attr query.Attr, op query.Op, in stock) []query.Value {
	if op == query.Null {
		return []query.Value{{Bool: true}, {Bool: false}}
	}
	switch attr.Kind {
	case query.UUID:
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
		var values []query.Value
		for _, n := range decimals {
			values = append(values, query.Value{Num: n})
		}
		return values
	case query.Boolean:
		return []query.Value{{Bool: true}, {Bool: false}}
	case query.Timestamp, query.Date:
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

// spans returns ranges of time as operands are: milliseconds, seconds, days,
// around the moments of the rows and far from them.
func spans() []query.Value {
	var values []query.Value
	for _, m := range moments { // they stand in their order, so that doubles are neighbours
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
