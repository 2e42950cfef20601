package postgres_test

import (
	"context"
	"database/sql"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"pgregory.net/rapid"
)

// sample has an attribute of each kind, nullable where the kind allows it.
type sample struct {
	id     uuid.UUID
	name   string
	note   *string
	code   string
	ref    *uuid.UUID
	number int64
	price  *big.Rat
	flag   bool
	day    *time.Time
	at     time.Time
	until  *time.Time
	tags   []tag // sorted

	properties property.Values
}

type tag struct{ uuid.UUID }

var samples = query.Define(
	query.UUIDField("uuid", func(s *sample) uuid.UUID { return s.id }),
	query.TextField("name", func(s *sample) string { return s.name }),
	query.OptionalText("note", func(s *sample) *string { return s.note }),
	query.TokenField("code", func(s *sample) string { return s.code }),
	query.OptionalUUID("ref", func(s *sample) *uuid.UUID { return s.ref }),
	query.IntegerField("number", func(s *sample) int64 { return s.number }),
	query.OptionalNumber("price", func(s *sample) *big.Rat { return s.price }),
	query.BooleanField("flag", func(s *sample) bool { return s.flag }),
	query.DateField("day", func(s *sample) *time.Time { return s.day }),
	query.TimeField("at", func(s *sample) time.Time { return s.at }),
	query.OptionalTime("until", func(s *sample) *time.Time { return s.until }),
	query.UUIDsField("tags.id", func(s *sample) []tag { return s.tags }),
).With("link", "https://Example.test/É/", "name", "/end").With("note_link", "n:", "note", "").WithProperties(
	func(s *sample, a query.Attr) query.Value { return s.properties.Queried(a) },
).Extend([]query.Attr{
	query.PropertyAttr("city", query.Text), query.PropertyAttr("rating", query.Number),
	query.PropertyAttr("remote", query.Boolean), query.PropertyAttr("hired", query.Date),
}, nil)

const sampleTable = `CREATE TABLE samples (
	school_id uuid, id uuid, name text, name_fold text COLLATE "C", note text, note_fold text COLLATE "C",
	code text, ref uuid, number integer, price numeric, flag boolean, day date, at timestamptz, until timestamptz,
	properties jsonb, property_folds jsonb,
	PRIMARY KEY (school_id, id))`

const sampleTags = `CREATE TABLE sample_tags (school_id uuid, sample_id uuid, tag_id uuid, PRIMARY KEY (school_id, sample_id, tag_id))`

// No schema of the domain has every kind of attribute, so this test uses its own. It compiles
// queries to Go and to SQL and compares the results on rows that match or nearly match: first each
// attribute with each predicate and operand, then random trees and sorts.
func TestQueryOfEveryAttributeKind(t *testing.T) {
	s, db := freshStore(t)
	execute(t, db, sampleTable, sampleTags)
	id := newSchool(t, s)
	rows := fill(t, db, id)
	list := postgres.NewListing("samples", []string{"name", "note"},
		[]string{"code", "ref", "number", "price", "flag", "day", "at", "until"})
	compare := func(ctx context.Context, t interface{ Fatalf(string, ...any) }, q query.Query) {
		got, err := list.Page(ctx, s, id, q)
		if err != nil {
			t.Fatalf("%v in %+v", err, q)
		}
		want := samples.Evaluate(q, rows)
		expected := []uuid.UUID{}
		for _, row := range want.Items {
			expected = append(expected, row.id)
		}
		if !slices.Equal(got.Items, expected) || got.More != want.More {
			t.Fatalf("%+v\nfinds     %v %v\nexpected: %v %v", q, got.Items, got.More, expected, want.More)
		}
	}

	for _, attr := range samples.Attrs() {
		t.Run(attr.Name, func(t *testing.T) {
			byName := []query.Order{{Attr: samples.Attr("name")}}
			for _, op := range predicates(attr.Kind) {
				for _, v := range operands(attr) {
					where := query.Cond{Attr: attr, Op: op, Values: []query.Value{v}}
					compare(t.Context(), t, query.Query{Where: where, Sort: byName, Page: query.AllRows()})
				}
			}
			for _, desc := range []bool{false, true} {
				if !attr.Kind.Ordered() {
					continue
				}
				compare(t.Context(), t, query.Query{
					Sort: []query.Order{{Attr: attr, Desc: desc}}, Page: query.AllRows(),
				})
			}
		})
	}
	t.Run("random queries", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			compare(t.Context(), r, query.Query{
				Where: anyExpr(r, 3),
				Sort:  anySort(r),
				Page:  query.NewPage(int64(rapid.IntRange(1, 4).Draw(r, "page")), rapid.IntRange(1, 40).Draw(r, "limit")),
			})
		})
	})
}

// fill stores rows whose values come from small sets, and returns them.
func fill(t *testing.T, db *sql.DB, schoolID school.ID) []sample {
	t.Helper()
	is := is.New(t)
	rows := make([]sample, 120)
	for i := range rows {
		r := &rows[i]
		*r = sample{
			id: uuid.New(), name: texts[i%len(texts)], code: texts[(i*7+1)%len(texts)], number: numbers[i%len(numbers)],
			flag: i%3 == 0, at: instants[i%len(instants)],
		}
		if i%5 > 0 {
			r.note, r.ref = &texts[(i*5)%len(texts)], &ids[i%len(ids)]
		}
		if i%4 > 0 {
			r.price, r.until = prices[(i*3)%len(prices)], &instants[(i*3)%len(instants)]
		}
		if i%6 > 0 {
			day := instants[(i*11)%len(instants)].Truncate(24 * time.Hour)
			r.day = &day
		}
		r.properties = someProperties(i)
		var noteFold, price *string
		if r.note != nil {
			f := text.Fold(*r.note)
			noteFold = &f
		}
		if r.price != nil {
			p := r.price.FloatString(40)
			price = &p
		}
		_, err := db.ExecContext(t.Context(), `INSERT INTO samples VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
			schoolID.UUID, r.id, r.name, text.Fold(r.name), r.note, noteFold, r.code, r.ref, r.number, price, r.flag, r.day, r.at, r.until,
			postgres.PropertiesJSON(r.properties), postgres.PropertyFolds(r.properties))
		is.NoErr(err)
		for j, id := range ids[:len(ids)-1] { // the last ID is in no set
			if (i>>j)&1 == 0 {
				continue
			}
			r.tags = append(r.tags, tag{id})
			_, err := db.ExecContext(t.Context(), `INSERT INTO sample_tags VALUES ($1, $2, $3)`, schoolID.UUID, r.id, id)
			is.NoErr(err)
		}
	}
	return rows
}

// someProperties returns the properties of row i. Each property is missing in some rows, and some
// rows have none.
func someProperties(i int) property.Values {
	var list []property.Property
	add := func(name string, v property.Value) { list = append(list, property.Property{Name: name, Value: v}) }
	if i%5 > 1 {
		add("city", property.TextValue(texts[(i*3)%len(texts)]))
	}
	if rating, ok := property.ExactNumber(prices[i%len(prices)]); ok && i%4 > 0 {
		add("rating", rating)
	}
	if i%3 > 0 {
		add("remote", property.BooleanValue(i%2 == 0))
	}
	if day := instants[(i*7)%len(instants)]; i%5 > 0 && day.Year() > 0 {
		add("hired", property.TextValue(day.Format(time.DateOnly)))
	}
	return property.NewValues(list...)
}

var (
	texts = []string{
		"", "a", "A", "b", "B", "ab", "a b", "É", "é", "e\u0301", "e", "ß", "ss", "Σ", "σ", "ς", "İ", "i", "ı",
		"100%", "100", "a_b", "aXb", `a\b`, `\`, "%", "_", "'", `"`, "Z", "z", "ﬁ", "fi", "日本", "😀", "$1",
		"https://Example.test/É/a/end", "https://example.test/e/a/end", "n:a", "/end",
	}
	numbers = []int64{-1 << 31, -2, -1, 0, 1, 2, 3, 10, 1<<31 - 1}
	extreme = append([]int64{-1 << 63, 1<<63 - 1, 1 << 31}, numbers...)
	prices  = []*big.Rat{
		big.NewRat(0, 1), big.NewRat(1, 10), big.NewRat(1, 8), big.NewRat(-5, 2), big.NewRat(10, 1),
		new(big.Rat).SetFrac64(1, 1<<40), big.NewRat(12345678901234, 100),
	}
	ids = []uuid.UUID{
		uuid.MustParse("00000000-0000-0000-0000-000000000000"), uuid.MustParse("7fffffff-0000-4000-8000-000000000001"),
		uuid.MustParse("80000000-0000-4000-8000-000000000001"), uuid.MustParse("ffffffff-ffff-ffff-ffff-ffffffffffff"),
	}
	instants = []time.Time{
		date(2026, 1, 2), date(2026, 1, 2).Add(time.Millisecond), date(2026, 1, 2).Add(-time.Millisecond),
		date(2026, 1, 3), date(2026, 1, 2).Add(11*time.Hour + 123*time.Millisecond), date(2000, 2, 29), date(1, 1, 1), date(0, 1, 1), date(9999, 12, 31),
	}
)

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func anySort(r *rapid.T) []query.Order {
	return rapid.SliceOfN(rapid.Custom(func(r *rapid.T) query.Order {
		return query.Order{Attr: rapid.SampledFrom(ordered(samples)).Draw(r, "sort"), Desc: rapid.Bool().Draw(r, "desc")}
	}), 1, 3).Draw(r, "sorts")
}

func ordered(s query.Schema[sample]) []query.Attr {
	return slices.DeleteFunc(s.Attrs(), func(a query.Attr) bool { return !a.Kind.Ordered() })
}

func anyExpr(r *rapid.T, depth int) query.Expr {
	kind := rapid.IntRange(0, 5).Draw(r, "node")
	if depth == 0 || kind > 2 {
		return anyCond(r)
	}
	parts := make([]query.Expr, rapid.IntRange(0, 3).Draw(r, "parts"))
	for i := range parts {
		parts[i] = anyExpr(r, depth-1)
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return query.And(parts)
	}
	return query.Or(parts)
}

func anyCond(r *rapid.T) query.Expr {
	attr := rapid.SampledFrom(samples.Attrs()).Draw(r, "attribute")
	values := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3}).Draw(r, "values")
	return query.Cond{
		Attr:   attr,
		Op:     rapid.SampledFrom(predicates(attr.Kind)).Draw(r, "op"),
		Values: rapid.SliceOfN(rapid.SampledFrom(operands(attr)), values, values).Draw(r, "values"),
	}
}

func predicates(kind query.Kind) []query.Op {
	whole := []query.Op{query.Eq, query.NotEq, query.Null}
	ordered := append(whole, query.Lt, query.Lteq, query.Gt, query.Gteq)
	switch kind {
	case query.Text:
		return append(ordered, query.Cont, query.NotCont, query.Start, query.End)
	case query.UUID, query.UUIDs, query.Token, query.Boolean:
		return whole
	}
	return ordered
}

// operands returns values of the attribute, values close to them, and values that the attribute
// never has.
func operands(attr query.Attr) []query.Value {
	var values []query.Value
	switch attr.Kind {
	case query.Text, query.Token:
		for _, s := range texts {
			values = append(values, query.Value{Text: s, Fold: text.Fold(s)})
			if shown := attr.Prefix + s + attr.Suffix; shown != s {
				values = append(values, query.Value{Text: shown, Fold: text.Fold(shown)})
			}
		}
	case query.UUID, query.UUIDs:
		for _, id := range ids {
			values = append(values, query.Value{ID: id})
		}
	case query.Integer:
		for _, n := range extreme {
			values = append(values, query.Value{Int: n})
		}
	case query.Number:
		for _, n := range prices {
			values = append(values, query.Value{Num: n})
		}
	case query.Date:
		for _, t := range instants {
			day := t.Truncate(24 * time.Hour)
			values = append(values, query.Value{From: day, To: day.AddDate(0, 0, 1)})
		}
	case query.Timestamp:
		for _, t := range instants {
			values = append(values, query.Value{From: t, To: t.Add(time.Millisecond)},
				query.Value{From: t, To: t.Add(24 * time.Hour)})
		}
	case query.Boolean:
		values = []query.Value{{}}
	}
	for _, v := range values[:1] {
		v.Bool = true // the operand true of booleans and of Null; all other operands mean false
		values = append(values, v)
	}
	return values
}
