package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
)

// bulkJobs tests ports.BulkReader and ports.BulkRepo.
func bulkJobs(t *testing.T, b Backend) {
	t.Run("Add inserts the bulk job and its parts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for _, kind := range []bulk.Kind{bulk.People, bulk.Groups} {
			j, parts := w.newBulk(kind, 3)
			w.must(w.tryAddBulk(j, parts...))
			is.Equal(diff(w.bulkJob(j.ID), j), "")
			for _, p := range parts {
				got, err := w.partForUpdate(p.ID)
				is.NoErr(err)
				is.Equal(diff(got, p), "")
			}
		}
	})

	t.Run("Add inserts a bulk job without parts as complete", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, _ := w.newBulk(bulk.Groups, 0)
		w.must(w.tryAddBulk(j))
		is.Equal(diff(w.bulkJob(j.ID), j), "")
		is.True(j.CompletedAt != nil)
	})

	t.Run("Get returns the job with the outcomes of its finished parts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 3)
		w.must(w.tryAddBulk(j, parts...))
		var done [3]bulk.Outcome
		for _, i := range []int{2, 0, 1} { // not in the order of the rows
			o := parts[i].Outcome(map[int]error{parts[i].Rows[0].Number: bulk.People.Unknown("groups/7")}, w.nextTime())
			w.must(w.tryFinish(parts[i].ID, o))
			done[i] = o
			var outcomes []bulk.Outcome
			for _, o := range done {
				if o.Rows > 0 {
					outcomes = append(outcomes, o)
				}
			}
			is.Equal(diff(w.bulkJob(j.ID), j.With(outcomes...)), "")
		}
		is.Equal(w.bulkJob(j.ID).Status(), bulk.Completed)
		is.Equal(w.bulkJob(j.ID).RowsFailed, 6)
	})

	t.Run("Faults of every kind are read back", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 1)
		w.must(w.tryAddBulk(j, parts...))
		o := bulk.Outcome{Rows: 2, Failed: 2, At: w.nextTime()}
		for k := fault.Invalid; k <= fault.Unavailable; k++ {
			o.Errors = append(o.Errors, bulk.RowError{Row: int(k), Kind: k, Detail: "“\"\\{}”"})
		}
		w.must(w.tryFinish(parts[0].ID, o))
		is.Equal(diff(w.bulkJob(j.ID), j.With(o)), "")
	})

	t.Run("Get returns NotFound for an unknown job", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		_, err := w.read().Bulk.Get(w.ctx(), bulk.ID{UUID: w.ids.New()})
		is.True(isNotFound(err))
	})

	t.Run("GetPartNumbersForUpdate reads only the numbers of the rows", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.Groups, 3)
		w.must(w.tryAddBulk(j, parts...))
		for i, p := range parts {
			got, err := w.partNumbersForUpdate(p.ID)
			is.NoErr(err)
			is.Equal(diff(got, bulk.Part{ID: p.ID, Job: j.ID, Rows: []bulk.Row{{Number: 2 * i}, {Number: 2*i + 1}}}), "")
		}
	})

	t.Run("GetPartForUpdate, GetPartNumbersForUpdate and FinishPart return NotFound for an unknown or finished part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.addBulk()
		w.must(w.tryFinish(p.ID, bulk.Outcome{Rows: 2, At: w.nextTime()}))
		before := w.bulkJob(j.ID)
		for _, id := range []bulk.PartID{p.ID, {UUID: w.ids.New()}} {
			_, err := w.partForUpdate(id)
			is.True(isNotFound(err))
			_, err = w.partNumbersForUpdate(id)
			is.True(isNotFound(err))
			is.True(isNotFound(w.tryFinish(id, bulk.Outcome{Rows: 9, Failed: 9, At: w.nextTime()})))
		}
		is.Equal(diff(w.bulkJob(j.ID), before), "")
	})

	t.Run("SplitPart moves rows to a new part whose outcome follows that of the first part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 3)
		w.must(w.tryAddBulk(j, parts...))
		var outcomes []bulk.Outcome
		for _, p := range parts {
			first, rest := p.SplitAt(p.Rows[1].Number, bulk.PartID{UUID: w.ids.New()})
			w.must(w.trySplit(first, rest))
			for _, half := range []bulk.Part{first, rest} {
				got, err := w.partForUpdate(half.ID)
				is.NoErr(err)
				is.Equal(diff(got, half), "")
				numbers, err := w.partNumbersForUpdate(half.ID)
				is.NoErr(err)
				is.Equal(diff(numbers.Rows, []bulk.Row{{Number: half.Rows[0].Number}}), "")
				outcomes = append(outcomes, half.Outcome(map[int]error{half.Rows[0].Number: bulk.People.Unknown("x")}, w.nextTime()))
			}
			w.must(w.tryFinish(rest.ID, outcomes[len(outcomes)-1])) // not in the order of the rows
			w.must(w.tryFinish(first.ID, outcomes[len(outcomes)-2]))
		}
		is.Equal(diff(w.bulkJob(j.ID), j.With(outcomes...)), "")
	})

	t.Run("SplitPart returns NotFound for an unknown or finished part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.addBulk()
		w.must(w.tryFinish(p.ID, bulk.Outcome{Rows: 2, At: w.nextTime()}))
		before := w.bulkJob(j.ID)
		for _, id := range []bulk.PartID{p.ID, {UUID: w.ids.New()}} {
			p.ID = id
			first, rest := p.SplitAt(1, bulk.PartID{UUID: w.ids.New()})
			is.True(isNotFound(w.trySplit(first, rest)))
			_, err := w.partForUpdate(rest.ID)
			is.True(isNotFound(err))
		}
		is.Equal(diff(w.bulkJob(j.ID), before), "")
	})

	t.Run("Rolling back the transaction undoes FinishPart", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.addBulk()
		is.Equal(w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Bulk.FinishPart(ctx, p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}); err != nil {
				return err
			}
			_, err := tx.Bulk.GetPartForUpdate(ctx, p.ID)
			is.True(isNotFound(err)) // the transaction sees its own writes
			return errDropped
		}), errDropped)
		got, err := w.partForUpdate(p.ID)
		is.NoErr(err)
		is.Equal(diff(got, p), "")
		is.Equal(w.bulkJob(j.ID).RowsDone, 0)
	})

	t.Run("Arguments and results are copies", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 1)
		_, same := w.newBulk(bulk.People, 1)
		same[0].ID, same[0].Job, same[0].By = parts[0].ID, parts[0].Job, parts[0].By
		w.must(w.tryAddBulk(j, parts...))
		overwritePart(parts[0])
		got, err := w.partForUpdate(same[0].ID)
		is.NoErr(err)
		overwritePart(got)
		got, err = w.partForUpdate(same[0].ID)
		is.NoErr(err)
		is.Equal(diff(got, same[0]), "")

		o := bulk.Outcome{Rows: 2, Failed: 1, At: w.nextTime(), Errors: []bulk.RowError{{Row: 1, Kind: fault.Invalid, Detail: "is bad"}}}
		w.must(w.tryFinish(same[0].ID, o))
		want := j.With(bulk.Outcome{Rows: 2, Failed: 1, At: o.At, Errors: []bulk.RowError{o.Errors[0]}})
		o.Errors[0] = bulk.RowError{}
		is.Equal(diff(w.bulkJob(j.ID), want), "")
		shown := w.bulkJob(j.ID)
		shown.Errors[0], *shown.CompletedAt = bulk.RowError{}, time.Time{}
		is.Equal(diff(w.bulkJob(j.ID), want), "")
	})
}

func overwritePart(p bulk.Part) {
	for i := range p.Rows {
		clear(p.Rows[i].Targets)
		clear(p.Rows[i].Properties)
		clear(p.Rows[i].Errors)
	}
	clear(p.Rows)
}

// newBulk returns a new bulk job whose parts have two rows each. The second row of each part is
// invalid.
func (s tenant) newBulk(kind bulk.Kind, parts int) (bulk.Job, []bulk.Part) {
	by := policy.Actor{Key: school.KeyID{UUID: s.ids.New()}, Scope: school.Write}
	j, err := bulk.New(bulk.ID{UUID: s.ids.New()}, kind, by, 2*parts, s.nextTime())
	s.must(err)
	made := make([]bulk.Part, parts)
	for i := range made {
		subject := map[bulk.Kind]string{bulk.People: "é<\"'\\>@example.test", bulk.Groups: "{Ca\u2028fé} \"&\\"}[kind]
		made[i] = bulk.Part{ID: bulk.PartID{UUID: s.ids.New()}, Job: j.ID, Kind: kind, By: j.By, Rows: []bulk.Row{
			{
				Number: 2 * i, Subject: subject, Targets: []bulk.Target{{Field: "x/0", Name: "Painters, \"“"}, {Field: "x/1", Name: "null"}},
				Properties: map[string]property.Raw{
					"text": property.RawText("“\"\\\x00\u2028"), "number": property.RawNumber("-1.50E+2"), "null": {},
					"boolean": property.RawBoolean(true), "other": property.RawOther(),
				},
			},
			{Number: 2*i + 1, Errors: []bulk.RowError{{Row: 2*i + 1, Field: "email", Kind: fault.Invalid, Detail: "can't be blank"}}},
		}}
	}
	return j, made
}

// addBulk adds a bulk job about people that has one part.
func (s tenant) addBulk() (bulk.Job, bulk.Part) {
	s.t.Helper()
	j, parts := s.newBulk(bulk.People, 1)
	s.must(s.tryAddBulk(j, parts...))
	return j, parts[0]
}

// tryAddBulk adds a bulk job with its parts.
func (s tenant) tryAddBulk(j bulk.Job, parts ...bulk.Part) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.Add(ctx, j, parts) })
}

// tryFinish finishes a part of a bulk job with the outcome o.
func (s tenant) tryFinish(id bulk.PartID, o bulk.Outcome) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.FinishPart(ctx, id, o) })
}

func (s tenant) trySplit(p, rest bulk.Part) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.SplitPart(ctx, p, rest) })
}

func (s tenant) partForUpdate(id bulk.PartID) (found bulk.Part, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Bulk.GetPartForUpdate(ctx, id)
		return err
	})
	return found, err
}

func (s tenant) partNumbersForUpdate(id bulk.PartID) (bulk.Part, error) {
	return inTx(s, func(ctx context.Context, tx ports.Tx) (bulk.Part, error) {
		return tx.Bulk.GetPartNumbersForUpdate(ctx, id)
	})
}

func (s tenant) bulkJob(id bulk.ID) bulk.Job {
	s.t.Helper()
	j, err := s.read().Bulk.Get(s.ctx(), id)
	s.must(err)
	return j
}
