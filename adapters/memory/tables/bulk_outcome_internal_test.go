package tables

import (
	"testing"
	"unsafe"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"pgregory.net/rapid"
)

// A kept outcome is the outcome that was saved.
func TestKeptOutcomes(t *testing.T) {
	failures := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bulk.RowError {
		return bulk.RowError{
			Row: rapid.IntRange(0, 2).Draw(t, "rows further"), Field: rapid.SampledFrom([]string{"", "email", "groups/1"}).Draw(t, "field"),
			Kind: rapid.SampledFrom([]fault.Kind{fault.Invalid, fault.Gone}).Draw(t, "kind"), Detail: rapid.SampledFrom([]string{"is blank", "is wrong"}).Draw(t, "detail"),
		}
	}), 0, 100)
	rapid.Check(t, func(rt *rapid.T) {
		is := is.New(t)
		o := bulk.Outcome{Rows: 100, Failed: 7, Errors: failures.Draw(rt, "errors")}
		row := rapid.IntRange(0, 14_000).Draw(rt, "first row")
		for i := range o.Errors {
			row += o.Errors[i].Row
			o.Errors[i].Row = row
		}
		if len(o.Errors) == 0 {
			o.Errors = nil
		}
		is.Equal(NewOutcome(o).Outcome(), o)
	})
}

// The errors of a hundred rows of two bytes take not much more memory than the rows.
func TestKeptOutcomesAreSmall(t *testing.T) {
	is := is.New(t)
	o := bulk.Outcome{Rows: 100, Failed: 100}
	for n := range 100 {
		o.Errors = append(o.Errors, bulk.RowError{Row: n, Kind: fault.Invalid, Detail: "must be an object"})
	}
	k := NewOutcome(o)
	is.Equal(len(k.faults), 1)
	is.True(cap(k.errors)*int(unsafe.Sizeof(keptError{})) <= 400)
}
