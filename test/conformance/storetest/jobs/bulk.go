package jobs

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// BulkJobs tests ports.BulkReader and ports.BulkRepo.
func BulkJobs(t *testing.T, b fixture.Backend) {
	t.Run("Add inserts the bulk job and its parts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for _, kind := range []bulk.Kind{bulk.People, bulk.Groups} {
			j, parts := w.NewBulk(kind, 3)
			w.Must(w.TryAddBulk(j, parts...))
			is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j), "")
			for _, p := range parts {
				got, err := partForUpdate(w.Tenant, p.ID)
				is.NoErr(err)
				is.Equal(fixture.Diff(got, p), "")
			}
		}
	})

	t.Run("Add inserts a bulk job that keeps the ID of a person who is deleted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("sender@example.test")
		j, parts := w.NewBulk(bulk.People, 1)
		j.By = policy.Actor{Scope: school.Write, Staff: p.ID}
		parts[0].By = j.By
		w.Must(w.TryAddBulk(j, parts...))
		w.Must(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, p.ID) }))
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j), "")
		got, err := partForUpdate(w.Tenant, parts[0].ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, parts[0]), "")
	})

	t.Run("Add inserts a bulk job without parts as complete", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, _ := w.NewBulk(bulk.Groups, 0)
		w.Must(w.TryAddBulk(j))
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j), "")
		is.True(j.CompletedAt != nil)
	})

	t.Run("Get returns the job with the outcomes of its finished parts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 3)
		w.Must(w.TryAddBulk(j, parts...))
		var done [3]bulk.Outcome
		for _, i := range []int{2, 0, 1} { // not in the order of the rows
			o := parts[i].Outcome(map[int]error{parts[i].Rows[0].Number: bulk.People.Unknown("groups/7")}, w.NextTime())
			w.Must(w.TryFinish(parts[i].ID, o))
			done[i] = o
			var outcomes []bulk.Outcome
			for _, o := range done {
				if o.Rows > 0 {
					outcomes = append(outcomes, o)
				}
			}
			is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j.With(outcomes...)), "")
		}
		is.Equal(bulkJob(w.Tenant, j.ID).Status(), bulk.Completed)
		is.Equal(bulkJob(w.Tenant, j.ID).RowsFailed, 6)
	})

	t.Run("Faults of every kind are read back", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 1)
		w.Must(w.TryAddBulk(j, parts...))
		o := bulk.Outcome{Rows: 2, Failed: 2, At: w.NextTime()}
		for k := fault.Invalid; k <= fault.Unavailable; k++ {
			o.Errors = append(o.Errors, bulk.RowError{Row: int(k), Kind: k, Detail: "“\"\\{}”"})
		}
		w.Must(w.TryFinish(parts[0].ID, o))
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j.With(o)), "")
	})

	t.Run("Get returns NotFound for an unknown job", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		_, err := w.Read().Bulk.Get(w.Context(), bulk.ID{UUID: w.IDs.New()})
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetPartNumbersForUpdate reads only the numbers of the rows", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.Groups, 3)
		w.Must(w.TryAddBulk(j, parts...))
		for i, p := range parts {
			got, err := partNumbersForUpdate(w.Tenant, p.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, bulk.Part{ID: p.ID, Job: j.ID, Rows: []bulk.Row{{Number: 2 * i}, {Number: 2*i + 1}}}), "")
		}
	})

	t.Run("GetPartForUpdate, GetPartNumbersForUpdate and FinishPart return NotFound for an unknown or finished part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		w.Must(w.TryFinish(p.ID, bulk.Outcome{Rows: 2, At: w.NextTime()}))
		before := bulkJob(w.Tenant, j.ID)
		for _, id := range []bulk.PartID{p.ID, {UUID: w.IDs.New()}} {
			_, err := partForUpdate(w.Tenant, id)
			is.True(fixture.IsNotFound(err))
			_, err = partNumbersForUpdate(w.Tenant, id)
			is.True(fixture.IsNotFound(err))
			is.True(fixture.IsNotFound(w.TryFinish(id, bulk.Outcome{Rows: 9, Failed: 9, At: w.NextTime()})))
		}
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), before), "")
	})

	t.Run("SplitPart moves rows to a new part whose outcome follows that of the first part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 3)
		w.Must(w.TryAddBulk(j, parts...))
		var outcomes []bulk.Outcome
		for _, p := range parts {
			first, rest := p.SplitAt(p.Rows[1].Number, bulk.PartID{UUID: w.IDs.New()})
			w.Must(trySplit(w.Tenant, first, rest))
			for _, half := range []bulk.Part{first, rest} {
				got, err := partForUpdate(w.Tenant, half.ID)
				is.NoErr(err)
				is.Equal(fixture.Diff(got, half), "")
				numbers, err := partNumbersForUpdate(w.Tenant, half.ID)
				is.NoErr(err)
				is.Equal(fixture.Diff(numbers.Rows, []bulk.Row{{Number: half.Rows[0].Number}}), "")
				outcomes = append(outcomes, half.Outcome(map[int]error{half.Rows[0].Number: bulk.People.Unknown("x")}, w.NextTime()))
			}
			w.Must(w.TryFinish(rest.ID, outcomes[len(outcomes)-1])) // not in the order of the rows
			w.Must(w.TryFinish(first.ID, outcomes[len(outcomes)-2]))
		}
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j.With(outcomes...)), "")
	})

	t.Run("SplitPart returns NotFound for an unknown or finished part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		w.Must(w.TryFinish(p.ID, bulk.Outcome{Rows: 2, At: w.NextTime()}))
		before := bulkJob(w.Tenant, j.ID)
		for _, id := range []bulk.PartID{p.ID, {UUID: w.IDs.New()}} {
			p.ID = id
			first, rest := p.SplitAt(1, bulk.PartID{UUID: w.IDs.New()})
			is.True(fixture.IsNotFound(trySplit(w.Tenant, first, rest)))
			_, err := partForUpdate(w.Tenant, rest.ID)
			is.True(fixture.IsNotFound(err))
		}
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), before), "")
	})

	t.Run("Rolling back the transaction undoes FinishPart", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		is.Equal(w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Bulk.FinishPart(ctx, p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}); err != nil {
				return err
			}
			_, err := tx.Bulk.GetPartForUpdate(ctx, p.ID)
			is.True(fixture.IsNotFound(err)) // the transaction sees its own writes
			return fixture.ErrDropped
		}), fixture.ErrDropped)
		got, err := partForUpdate(w.Tenant, p.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, p), "")
		is.Equal(bulkJob(w.Tenant, j.ID).RowsDone, 0)
	})

	t.Run("Arguments and results are copies", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 1)
		_, same := w.NewBulk(bulk.People, 1)
		same[0].ID, same[0].Job, same[0].By = parts[0].ID, parts[0].Job, parts[0].By
		w.Must(w.TryAddBulk(j, parts...))
		overwritePart(parts[0])
		got, err := partForUpdate(w.Tenant, same[0].ID)
		is.NoErr(err)
		overwritePart(got)
		got, err = partForUpdate(w.Tenant, same[0].ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, same[0]), "")

		o := bulk.Outcome{Rows: 2, Failed: 1, At: w.NextTime(), Errors: []bulk.RowError{{Row: 1, Kind: fault.Invalid, Detail: "is bad"}}}
		w.Must(w.TryFinish(same[0].ID, o))
		want := j.With(bulk.Outcome{Rows: 2, Failed: 1, At: o.At, Errors: []bulk.RowError{o.Errors[0]}})
		o.Errors[0] = bulk.RowError{}
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), want), "")
		shown := bulkJob(w.Tenant, j.ID)
		shown.Errors[0], *shown.CompletedAt = bulk.RowError{}, time.Time{}
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), want), "")
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

func trySplit(s fixture.Tenant, p, rest bulk.Part) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.SplitPart(ctx, p, rest) })
}

func partForUpdate(s fixture.Tenant, id bulk.PartID) (found bulk.Part, err error) {
	err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Bulk.GetPartForUpdate(ctx, id)
		return err
	})
	return found, err
}

func partNumbersForUpdate(s fixture.Tenant, id bulk.PartID) (bulk.Part, error) {
	return fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (bulk.Part, error) {
		return tx.Bulk.GetPartNumbersForUpdate(ctx, id)
	})
}

func bulkJob(s fixture.Tenant, id bulk.ID) bulk.Job {
	s.T.Helper()
	j, err := s.Read().Bulk.Get(s.Context(), id)
	s.Must(err)
	return j
}
