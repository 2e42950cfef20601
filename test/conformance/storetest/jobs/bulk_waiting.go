package jobs

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// BulkWaiting tests the methods of ports.BulkRepo that erase the rows about a person.
func BulkWaiting(t *testing.T, b fixture.Backend) {
	t.Run("WaitingForUpdate returns the unfinished parts about a person, by id", func(t *testing.T) {
		for _, tt := range []struct {
			name, subject, email string
			found                bool
		}{
			{"the same address", "ada@example.test", "ada@example.test", true},
			{"in capitals", "ADA@Example.test", "adA@example.TEST", true},
			{"with characters that JSON escapes", `"A<b>&\"\\c"@example.test`, `"a<B>&\"\\c"@example.test`, true},
			{"with other letters", "Ádá@example.test", "áDÁ@example.test", true},
			{"with letters of several forms", "a\u0301da@example.test", "\u00c1da@example.test", true},
			{"with other letters that become ASCII", "\u212aim@example.test", "kim@example.test", true},
			{"with other letters after an escaped quote", "\"a\\\"\u212a\"@example.test", "\"a\\\"k\"@example.test", true},
			{"another address", "grace@example.test", "ada@example.test", false},
			{"a longer address", "nada@example.test", "ada@example.test", false},
			{"an address without a mark", "Ádá@example.test", "ada@example.test", false},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				parts := make([]bulk.Part, 5)
				for i := range parts {
					j, made := w.NewBulk(bulk.People, 1)
					parts[i] = made[0]
					parts[i].Rows[0].Subject = tt.subject
					w.Must(w.TryAddBulk(j, parts[i]))
				}
				got, err := waiting(w.Tenant, tt.email)
				is.NoErr(err)
				if !tt.found {
					is.Equal(len(got), 0)
					return
				}
				slices.SortFunc(parts, comparePartIDs)
				is.Equal(fixture.Diff(got, parts), "")
			})
		}
	})

	t.Run("WaitingForUpdate finds a row among others, and no target or property", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 2)
		parts[1].Rows[0].Targets[0].Name = "ada@example.test"
		parts[1].Rows[0].FirstName, parts[1].Rows[0].LastName = "ada@example.test", `"subject":"ada@example.test"`
		parts[1].Rows[0].Properties["subject"] = property.RawText("ada@example.test")
		parts[0].Rows[1] = bulk.Row{Number: 1, Subject: "ada@example.test"}
		w.Must(w.TryAddBulk(j, parts...))
		got, err := waiting(w.Tenant, "ada@example.test")
		is.NoErr(err)
		is.Equal(fixture.Diff(got, parts[:1]), "")
	})

	t.Run("WaitingForUpdate returns no finished parts and no parts about groups", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		w.Must(w.TryFinish(p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}))
		groups, parts := w.NewBulk(bulk.Groups, 1)
		parts[0].Rows[0].Subject = p.Rows[0].Subject
		w.Must(w.TryAddBulk(groups, parts...))
		got, err := waiting(w.Tenant, p.Rows[0].Subject)
		is.NoErr(err)
		is.Equal(len(got), 0)
	})

	t.Run("SaveRows replaces the rows of a part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 2)
		w.Must(w.TryAddBulk(j, parts...))
		erased := parts[0].Without(text.UniqueKey(parts[0].Rows[0].Subject), bulk.ErrPersonDeleted)
		w.Must(trySaveRows(w.Tenant, erased))
		for _, p := range []bulk.Part{erased, parts[1]} {
			got, err := partForUpdate(w.Tenant, p.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, p), "")
			numbers, err := partNumbersForUpdate(w.Tenant, p.ID)
			is.NoErr(err)
			is.Equal(len(numbers.Rows), 2)
		}
		got, err := waiting(w.Tenant, parts[0].Rows[0].Subject)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, parts[1:]), "")
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), j), "")
	})

	t.Run("SaveRows returns NotFound for an unknown or finished part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		w.Must(w.TryFinish(p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}))
		before := bulkJob(w.Tenant, j.ID)
		for _, id := range []bulk.PartID{p.ID, {UUID: w.IDs.New()}} {
			p.ID = id
			is.True(fixture.IsNotFound(trySaveRows(w.Tenant, p)))
			_, err := partForUpdate(w.Tenant, id)
			is.True(fixture.IsNotFound(err))
		}
		is.Equal(fixture.Diff(bulkJob(w.Tenant, j.ID), before), "")
	})

	t.Run("WaitingForUpdate returns copies, and SaveRows saves a copy", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		_, p := w.AddBulk()
		for range 2 {
			got, err := waiting(w.Tenant, p.Rows[0].Subject)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, []bulk.Part{p}), "")
			overwritePart(got[0])
			saved, err := partForUpdate(w.Tenant, p.ID)
			is.NoErr(err)
			w.Must(trySaveRows(w.Tenant, saved))
			overwritePart(saved)
		}
	})
}

// BulkWaitingRaces tests that WaitingForUpdate waits for transactions that apply or split a part.
func BulkWaitingRaces(t *testing.T, b fixture.Backend) {
	t.Run("A worker waits for the transaction of WaitingForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		_, p := w.AddBulk()
		key := text.UniqueKey(p.Rows[0].Subject)
		find := func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.Bulk.WaitingForUpdate(ctx, key)
			if err == nil && len(found) == 0 {
				err = errors.New("no part")
			}
			return err
		}
		var got bulk.Part
		is.NoErr(w.CheckBlocks(func(ctx context.Context, tx ports.Tx) error {
			if err := find(ctx, tx); err != nil {
				return err
			}
			return tx.Bulk.SaveRows(ctx, p)
		}, func() (err error) {
			got, err = partForUpdate(w.Tenant, p.ID)
			return err
		}))
		is.Equal(fixture.Diff(got, p), "")
	})

	t.Run("WaitingForUpdate waits for a worker that finishes a part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.AddBulk()
		duringWait(w.Tenant, func(ctx context.Context, tx ports.Tx) error {
			return tx.Bulk.FinishPart(ctx, p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt})
		}, p.Rows[0].Subject, func(found []bulk.Part) { is.Equal(len(found), 0) })
	})

	t.Run("WaitingForUpdate waits for a worker that splits a part, and returns the new part", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 1)
		parts[0].Rows[0], parts[0].Rows[1] = bulk.Row{Number: 0, Subject: "grace@example.test"}, bulk.Row{Number: 1, Subject: "ada@example.test"}
		w.Must(w.TryAddBulk(j, parts...))
		first, rest := parts[0].SplitAt(1, bulk.PartID{UUID: w.IDs.New()})
		duringWait(w.Tenant, func(ctx context.Context, tx ports.Tx) error {
			return tx.Bulk.SplitPart(ctx, first, rest)
		}, "ada@example.test", func(found []bulk.Part) { is.Equal(fixture.Diff(found, []bulk.Part{rest}), "") })
	})

	t.Run("WaitingForUpdate does not wait for a worker that applies another part", func(t *testing.T) {
		if b.Serial {
			return
		}
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, parts := w.NewBulk(bulk.People, 2)
		parts[0].Rows[0].Subject, parts[1].Rows[0].Subject = "grace@example.test", "ada@example.test"
		w.Must(w.TryAddBulk(j, parts...))
		var found []bulk.Part
		is.NoErr(w.Concurrently(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Bulk.GetPartForUpdate(ctx, parts[0].ID)
			return err
		}, func() (err error) {
			found, err = waiting(w.Tenant, "ada@example.test")
			return err
		}))
		is.Equal(fixture.Diff(found, parts[1:]), "")
	})
}

// duringWait calls do in a transaction, in which WaitingForUpdate of another transaction waits for
// the end. It calls check with the result of WaitingForUpdate.
func duringWait(s fixture.Tenant, do func(context.Context, ports.Tx) error, email string, check func([]bulk.Part)) {
	s.T.Helper()
	type result struct {
		found []bulk.Part
		err   error
	}
	ended := make(chan result, 1)
	started := false
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		if err := do(ctx, tx); err != nil {
			return err
		}
		if !started { // InTx may call this function again
			started = true
			go func() {
				found, err := waiting(s, email)
				ended <- result{found, err}
			}()
		}
		select {
		case <-ended:
			return fixture.ErrNotBlocked
		case <-time.After(fixture.ObserveTime):
			return nil
		}
	})
	r := <-ended
	s.Must(r.err)
	check(r.found)
}

func waiting(s fixture.Tenant, email string) (found []bulk.Part, err error) {
	err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Bulk.WaitingForUpdate(ctx, text.UniqueKey(email))
		return err
	})
	return found, err
}

func trySaveRows(s fixture.Tenant, p bulk.Part) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.SaveRows(ctx, p) })
}

func comparePartIDs(a, b bulk.Part) int {
	return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:])
}
