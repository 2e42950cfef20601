package bulk_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"pgregory.net/rapid"
)

// Every row is in exactly one part, in order, and no part is empty or too long.
func TestPartsContainEachRowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]bulk.Kind{bulk.People, bulk.Groups}).Draw(t, "kind")
		rows := make([]bulk.Row, rapid.IntRange(0, 1000).Draw(t, "rows"))
		for i := range rows {
			rows[i].Number = i
		}
		j := bulk.Job{ID: bulk.ID{UUID: uuid.New()}, Kind: kind}
		next := 0
		ids := map[bulk.PartID]bool{}
		for _, p := range bulk.Parts(j, rows, uuid.New) {
			if len(p.Rows) == 0 || len(p.Rows) > 100 || p.Job != j.ID || p.Kind != kind || ids[p.ID] {
				t.Fatalf("part %+v", p)
			}
			ids[p.ID] = true
			for _, r := range p.Rows {
				if r.Number != next {
					t.Fatalf("got row %d, want row %d", r.Number, next)
				}
				next++
			}
		}
		if next != len(rows) {
			t.Fatalf("%d of %d rows", next, len(rows))
		}
	})
}

func TestOutcome(t *testing.T) {
	is := is.New(t)
	broken := bulk.People.NewRow(7, "ada", nil, nil, nil)
	p := bulk.Part{Rows: []bulk.Row{{Number: 5}, {Number: 6}, broken, {Number: 8}}}
	o := p.Outcome(map[int]error{8: bulk.People.Unknown("groups")}, then)
	is.Equal(o, bulk.Outcome{Rows: 4, Failed: 2, At: then, Errors: []bulk.RowError{
		{Row: 7, Field: "email", Kind: fault.Invalid, Detail: "is not a valid email address"},
		{Row: 8, Field: "groups", Kind: fault.Invalid, Detail: "is not the name of a group"},
	}})
}
