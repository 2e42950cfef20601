package bulk_test

import (
	"strings"
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
			if rapid.Bool().Draw(t, "long") {
				rows[i].Targets = []bulk.Target{{Name: strings.Repeat("x", 20_000)}, {Name: "y"}}
			}
		}
		j := bulk.Job{ID: bulk.ID{UUID: uuid.New()}, Kind: kind}
		next := 0
		ids := map[bulk.PartID]bool{}
		for _, p := range bulk.Parts(j, rows, uuid.New) {
			if len(p.Rows) == 0 || len(p.Rows) > 100 || p.Job != j.ID || p.Kind != kind || ids[p.ID] {
				t.Fatalf("part %+v", p)
			}
			ids[p.ID] = true
			names := 0
			for _, r := range p.Rows {
				for _, target := range r.Targets {
					names += len(target.Name)
				}
			}
			if names > 64<<10 {
				t.Fatalf("a part with %d bytes of names", names)
			}
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

// A part with more than a hundred errors keeps the first one of each row.
func TestOutcomeOfManyErrors(t *testing.T) {
	for rows, perRow := range map[int]int{20: 5, 21: 1, 100: 1} {
		is := is.New(t)
		p := bulk.Part{Job: bulk.ID{UUID: uuid.New()}, Kind: bulk.People}
		for n := range rows {
			p.Rows = append(p.Rows, bulk.People.NewRow(n, "ada", named("", "", "", "", ""), nil, nil))
		}
		o := p.Outcome(nil, then)
		is.Equal(o.Failed, rows)
		is.Equal(len(o.Errors), rows*perRow)
		for i, e := range o.Errors {
			is.Equal(e.Row, i/perRow)
		}
		is.Equal(o.Errors[0].Field, "email")
	}
}

func TestPartWithoutPerson(t *testing.T) {
	rows := func() []bulk.Row {
		return []bulk.Row{
			{Number: 5, Subject: "ADA@example.test", FirstName: "Ada", LastName: "King", Targets: named("Painters"), Properties: manyProperties(1)},
			{Number: 6, Subject: "grace@example.test", FirstName: "Grace"},
			{Number: 7, Errors: []bulk.RowError{{Row: 7, Kind: fault.Invalid, Detail: "can't be blank"}}},
			{Number: 8, Subject: "ada@example.test"},
		}
	}
	erased := func(number int) bulk.Row {
		return bulk.Row{Number: number, Errors: []bulk.RowError{{Row: number, Kind: fault.Gone, Detail: "Why"}}}
	}
	for _, tt := range []struct {
		name, key string
		kind      bulk.Kind
		want      []bulk.Row
	}{
		{"rows about the person", "ada@example.test", bulk.People, []bulk.Row{erased(5), rows()[1], rows()[2], erased(8)}},
		{"a part about others", "alan@example.test", bulk.People, nil},
		{"no address", "", bulk.People, nil},
		{"names of groups", "ada@example.test", bulk.Groups, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := bulk.Part{Kind: tt.kind, Rows: rows()}
			is.Equal(p.About(tt.key), tt.want != nil)
			if tt.want == nil {
				tt.want = rows()
			}
			is.Equal(p.Without(tt.key, fault.Gonef("Why")).Rows, tt.want)
			is.Equal(p.Rows, rows()) // unchanged
		})
	}
}
