package query_test

import (
	"math/big"
	"slices"
	"testing"

	"lyceum/domain/query"
	"lyceum/domain/text"
	"pgregory.net/rapid"
)

var (
	drawJoin  = rapid.SampledFrom([]string{"and", "or"})
	drawWord  = rapid.SampledFrom([]string{"", "a", "B", "é", "ab", "https://lms.test/c/a/cover"})
	drawCount = rapid.SampledFrom([]string{"-1", "0", "1", "2"})
	drawDay   = rapid.SampledFrom([]string{"2026-01-30", "2026-01-31", "2026-01-31T00:00:00.000Z"})
	drawTag   = rapid.SampledFrom([]string{numbered(0).String(), numbered(1).String(), numbered(2).String()})
	drawTruth = rapid.SampledFrom([]string{"true", "false"})
)

// drawTerm draws a random pair, which is nearly always valid.
func drawTerm(t *rapid.T) query.Term {
	var p []string
	for range rapid.IntRange(0, 3).Draw(t, "depth") {
		p = append(p, drawJoin.Draw(t, "join"))
		if rapid.Bool().Draw(t, "indexed") {
			p = append(p, rapid.SampledFrom([]string{"0", "1"}).Draw(t, "index"))
		}
	}
	attribute := rapid.SampledFrom([]string{"name", "email", "link", "course_count", "score", "created_at", "tags.id"}).Draw(t, "attribute")
	predicates := []string{"eq", "not_eq", "in", "not_in", "lt", "lteq", "gt", "gteq", "null"}
	value := drawCount
	switch attribute {
	case "created_at":
		value = drawDay
	case "tags.id":
		value = drawTag
		predicates = []string{"eq", "not_eq", "in", "not_in", "null"}
	case "name", "email", "link":
		value = drawWord
		predicates = append(predicates, "cont", "not_cont", "start", "end")
	}
	predicate := rapid.SampledFrom(predicates).Draw(t, "predicate")
	if predicate == "null" {
		value = drawTruth
	}
	p = append(p, attribute, predicate)
	if rapid.Bool().Draw(t, "list") {
		p = append(p, "")
	}
	return query.Term{Param: "filter", Path: p, Value: value.Draw(t, "value")}
}

// sample contains rows that satisfy and rows that violate each condition of drawTerm, including
// nulls.
func sample() []row {
	var all []row
	for i, name := range []string{"", "a", "Ab", "É", "b"} {
		for count := range int64(3) {
			r := row{
				ID: numbered(byte(len(all))), Name: name, CourseCount: count,
				CreatedAt: at("2026-01-30T23:59:59.999Z").AddDate(0, 0, i%3),
			}
			if count > 0 {
				r.Email, r.Score = ptr(name+"b"), big.NewRat(count, 1)
				r.Tags = []tag{{numbered(0)}, {numbered(byte(count))}}[i%2:]
			}
			all = append(all, r)
		}
	}
	return all
}

func ids(r query.Result[row]) []byte {
	var all []byte
	for _, r := range r.Items {
		all = append(all, r.ID[15])
	}
	return all
}

// The order of the pairs does not affect the result.
func TestPropertyOrderOfPairs(t *testing.T) {
	all := sample()
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(rapid.Custom(drawTerm), 1, 8).Draw(t, "pairs")
		shuffled := rapid.Permutation(pairs).Draw(t, "shuffled")
		want, errWant := query.Build(rows, query.Request{Terms: pairs, Page: query.AllRows()})
		got, errGot := query.Build(rows, query.Request{Terms: shuffled, Page: query.AllRows()})
		if (errWant == nil) != (errGot == nil) {
			t.Fatalf("accepted in one order only: %v, %v", errWant, errGot)
		}
		if a, b := ids(rows.Evaluate(want, all)), ids(rows.Evaluate(got, all)); !slices.Equal(a, b) {
			t.Fatalf("%s finds %v\n%s finds %v", show(want.Where), a, show(got.Where), b)
		}
	})
}

// A predicate and its negation partition the rows in which the attribute is not null.
func TestPropertyNegations(t *testing.T) {
	all := sample()
	negations := map[string]string{"eq": "not_eq", "in": "not_in", "cont": "not_cont"}
	rapid.Check(t, func(t *rapid.T) {
		attribute := rapid.SampledFrom([]string{"name", "email", "link", "tags.id"}).Draw(t, "attribute")
		predicates, value := []string{"eq", "in", "cont"}, drawWord
		if attribute == "tags.id" {
			predicates, value = []string{"eq", "in"}, drawTag
		}
		predicate := rapid.SampledFrom(predicates).Draw(t, "predicate")
		values := rapid.SliceOfN(value, 1, 3).Draw(t, "values")
		compile := func(predicate string) func(*query.Record[row]) bool {
			var pairs []query.Term
			for _, v := range values {
				pairs = append(pairs, query.Term{Path: []string{attribute, predicate, ""}, Value: v})
			}
			q, err := query.Build(rows, query.Request{Terms: pairs})
			if err != nil {
				t.Fatal(err)
			}
			return rows.Compile(q.Where)
		}
		holds, fails := compile(predicate), compile(negations[predicate])
		for _, r := range all {
			has := attribute != "email" && attribute != "tags.id" || r.Email != nil // a row without an email address has no tags either
			record := rows.Record(r)
			if holds(record) && fails(record) || (holds(record) || fails(record)) != has {
				t.Fatalf("%s %s %q of %+v", attribute, predicate, values, r)
			}
		}
	})
}

// The pages of a list, concatenated, are the list.
func TestPropertyPages(t *testing.T) {
	all := sample()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, len(all)+1).Draw(t, "limit")
		shuffled := rapid.Permutation(all).Draw(t, "shuffled")
		var joined []byte
		for number, more := int64(1), true; more; number++ {
			page := rows.Evaluate(query.Query{Page: query.NewPage(number, limit)}, shuffled)
			joined, more = append(joined, ids(page)...), page.More
		}
		if want := ids(rows.Evaluate(query.Query{}, all)); !slices.Equal(joined, want) {
			t.Fatalf("pages of %d: %v, at once: %v", limit, joined, want)
		}
	})
}

// With relies on this: if the prefix ends and the suffix starts with an ASCII character, the fold
// of a link is the concatenation of the folds of its parts.
func TestPropertyFoldOfLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := rapid.String().Draw(t, "stored")
		prefix := rapid.String().Draw(t, "prefix") + rapid.StringMatching(`[ -~]`).Draw(t, "seam")
		suffix := rapid.StringMatching(`[ -~]`).Draw(t, "seam") + rapid.String().Draw(t, "suffix")
		whole := text.Fold(prefix + stored + suffix)
		if pieces := text.Fold(prefix) + text.Fold(stored) + text.Fold(suffix); pieces != whole {
			t.Fatalf("%+q is not %+q", pieces, whole)
		}
	})
}
