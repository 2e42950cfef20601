package query_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// kind is a nullable attribute and three of its values in ascending order.
type kind struct {
	attribute      string
	low, mid, high string
	set            func(r *row, value string)
}

var orderedKinds = []kind{
	{"email", "Ada", "éclair", "Zoë", func(r *row, v string) { r.Email = &v }},
	{"score", "-0.5", "2e1", "100", func(r *row, v string) { r.Score, _ = new(big.Rat).SetString(v) }},
	{"start_on", "2026-01-30", "2026-01-31", "2026-02-01", func(r *row, v string) {
		day := at(v + "T00:00:00Z")
		r.StartOn = &day
	}},
	{
		"seen_at", "2026-01-31T09:59:59.999Z", "2026-01-31T10:00:00.000Z", "2026-01-31T10:00:00.001Z",
		func(r *row, v string) {
			seen := at(v)
			r.SeenAt = &seen
		},
	},
}

var owners = kind{
	"owner.id", numbered(1).String(), numbered(2).String(), strings.ToUpper(numbered(0xab).String()),
	func(r *row, v string) {
		id := uuid.MustParse(v)
		r.Owner = &id
	},
}

// query builds a query with a filter on the attribute. The argument [eq]=mid stands for
// filter[score][eq]=2e1. The result is sorted as low, mid, high, none.
func (k kind) query(t *testing.T, short string) query.Query {
	t.Helper()
	short = strings.ReplaceAll("&"+short, "&[", "&filter["+k.attribute+"][")
	short = strings.NewReplacer("=low", "="+k.low, "=mid", "="+k.mid, "=high", "="+k.high).Replace(short[1:])
	q := build(t, short)
	q.Sort = []query.Order{{Attr: rows.Attr("uuid")}}
	return q
}

// rows returns a row for each value, named low, mid and high, and the row none without a value.
func (k kind) rows() []row {
	all := []row{{Name: "low"}, {Name: "mid"}, {Name: "high"}, {Name: "none"}}
	for i, v := range []string{k.low, k.mid, k.high} {
		k.set(&all[i], v)
	}
	for i := range all {
		all[i].ID = numbered(byte(i))
	}
	return all
}
