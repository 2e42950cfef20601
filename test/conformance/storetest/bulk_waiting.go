package storetest

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
)

// bulkWaiting tests the methods of ports.BulkRepo that erase the rows about a deleted person.
func bulkWaiting(t *testing.T, b Backend) {
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
				is, w := is.New(t), newWorld(t, b)
				parts := make([]bulk.Part, 5)
				for i := range parts {
					j, made := w.newBulk(bulk.People, 1)
					parts[i] = made[0]
					parts[i].Rows[0].Subject = tt.subject
					w.must(w.tryAddBulk(j, parts[i]))
				}
				got, err := w.waiting(tt.email)
				is.NoErr(err)
				if !tt.found {
					is.Equal(len(got), 0)
					return
				}
				slices.SortFunc(parts, comparePartIDs)
				is.Equal(diff(got, parts), "")
			})
		}
	})

	t.Run("WaitingForUpdate finds a row among others, and no target or property", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 2)
		parts[1].Rows[0].Targets[0].Name = "ada@example.test"
		parts[1].Rows[0].FirstName, parts[1].Rows[0].LastName = "ada@example.test", `"subject":"ada@example.test"`
		parts[1].Rows[0].Properties["subject"] = property.RawText("ada@example.test")
		parts[0].Rows[1] = bulk.Row{Number: 1, Subject: "ada@example.test"}
		w.must(w.tryAddBulk(j, parts...))
		got, err := w.waiting("ada@example.test")
		is.NoErr(err)
		is.Equal(diff(got, parts[:1]), "")
	})

	t.Run("WaitingForUpdate returns no finished parts and no parts about groups", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.addBulk()
		w.must(w.tryFinish(p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}))
		groups, parts := w.newBulk(bulk.Groups, 1)
		parts[0].Rows[0].Subject = p.Rows[0].Subject
		w.must(w.tryAddBulk(groups, parts...))
		got, err := w.waiting(p.Rows[0].Subject)
		is.NoErr(err)
		is.Equal(len(got), 0)
	})

	t.Run("SaveRows replaces the rows of a part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 2)
		w.must(w.tryAddBulk(j, parts...))
		erased := parts[0].Without(text.UniqueKey(parts[0].Rows[0].Subject))
		w.must(w.trySaveRows(erased))
		for _, p := range []bulk.Part{erased, parts[1]} {
			got, err := w.partForUpdate(p.ID)
			is.NoErr(err)
			is.Equal(diff(got, p), "")
			numbers, err := w.partNumbersForUpdate(p.ID)
			is.NoErr(err)
			is.Equal(len(numbers.Rows), 2)
		}
		got, err := w.waiting(parts[0].Rows[0].Subject)
		is.NoErr(err)
		is.Equal(diff(got, parts[1:]), "")
		is.Equal(diff(w.bulkJob(j.ID), j), "")
	})

	t.Run("SaveRows returns NotFound for an unknown or finished part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.addBulk()
		w.must(w.tryFinish(p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt}))
		before := w.bulkJob(j.ID)
		for _, id := range []bulk.PartID{p.ID, {UUID: w.ids.New()}} {
			p.ID = id
			is.True(isNotFound(w.trySaveRows(p)))
			_, err := w.partForUpdate(id)
			is.True(isNotFound(err))
		}
		is.Equal(diff(w.bulkJob(j.ID), before), "")
	})

	t.Run("WaitingForUpdate returns copies, and SaveRows saves a copy", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		_, p := w.addBulk()
		for range 2 {
			got, err := w.waiting(p.Rows[0].Subject)
			is.NoErr(err)
			is.Equal(diff(got, []bulk.Part{p}), "")
			overwritePart(got[0])
			saved, err := w.partForUpdate(p.ID)
			is.NoErr(err)
			w.must(w.trySaveRows(saved))
			overwritePart(saved)
		}
	})
}

// bulkWaitingRaces tests that WaitingForUpdate waits for transactions that apply or split a part.
func bulkWaitingRaces(t *testing.T, b Backend) {
	t.Run("A worker waits for the transaction of WaitingForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		_, p := w.addBulk()
		key := text.UniqueKey(p.Rows[0].Subject)
		find := func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.Bulk.WaitingForUpdate(ctx, key)
			if err == nil && len(found) == 0 {
				err = errors.New("no part")
			}
			return err
		}
		var got bulk.Part
		is.NoErr(w.checkBlocks(func(ctx context.Context, tx ports.Tx) error {
			if err := find(ctx, tx); err != nil {
				return err
			}
			return tx.Bulk.SaveRows(ctx, p)
		}, func() (err error) {
			got, err = w.partForUpdate(p.ID)
			return err
		}))
		is.Equal(diff(got, p), "")
	})

	t.Run("WaitingForUpdate waits for a worker that finishes a part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.addBulk()
		w.duringWait(func(ctx context.Context, tx ports.Tx) error {
			return tx.Bulk.FinishPart(ctx, p.ID, bulk.Outcome{Rows: 2, At: j.CreatedAt})
		}, p.Rows[0].Subject, func(found []bulk.Part) { is.Equal(len(found), 0) })
	})

	t.Run("WaitingForUpdate waits for a worker that splits a part, and returns the new part", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 1)
		parts[0].Rows[0], parts[0].Rows[1] = bulk.Row{Number: 0, Subject: "grace@example.test"}, bulk.Row{Number: 1, Subject: "ada@example.test"}
		w.must(w.tryAddBulk(j, parts...))
		first, rest := parts[0].SplitAt(1, bulk.PartID{UUID: w.ids.New()})
		w.duringWait(func(ctx context.Context, tx ports.Tx) error {
			return tx.Bulk.SplitPart(ctx, first, rest)
		}, "ada@example.test", func(found []bulk.Part) { is.Equal(diff(found, []bulk.Part{rest}), "") })
	})

	t.Run("WaitingForUpdate does not wait for a worker that applies another part", func(t *testing.T) {
		if b.Serial {
			return
		}
		is, w := is.New(t), newWorld(t, b)
		j, parts := w.newBulk(bulk.People, 2)
		parts[0].Rows[0].Subject, parts[1].Rows[0].Subject = "grace@example.test", "ada@example.test"
		w.must(w.tryAddBulk(j, parts...))
		var found []bulk.Part
		is.NoErr(w.concurrently(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Bulk.GetPartForUpdate(ctx, parts[0].ID)
			return err
		}, func() (err error) {
			found, err = w.waiting("ada@example.test")
			return err
		}))
		is.Equal(diff(found, parts[1:]), "")
	})
}

// duringWait calls do in a transaction, in which WaitingForUpdate of another transaction waits for
// the end. It calls check with the result of WaitingForUpdate.
func (s tenant) duringWait(do func(context.Context, ports.Tx) error, email string, check func([]bulk.Part)) {
	s.t.Helper()
	type result struct {
		found []bulk.Part
		err   error
	}
	ended := make(chan result, 1)
	started := false
	s.do(func(ctx context.Context, tx ports.Tx) error {
		if err := do(ctx, tx); err != nil {
			return err
		}
		if !started { // InTx may call this function again
			started = true
			go func() {
				found, err := s.waiting(email)
				ended <- result{found, err}
			}()
		}
		select {
		case <-ended:
			return errNotBlocked
		case <-time.After(observeTime):
			return nil
		}
	})
	r := <-ended
	s.must(r.err)
	check(r.found)
}

func (s tenant) waiting(email string) (found []bulk.Part, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Bulk.WaitingForUpdate(ctx, text.UniqueKey(email))
		return err
	})
	return found, err
}

func (s tenant) trySaveRows(p bulk.Part) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.SaveRows(ctx, p) })
}

func comparePartIDs(a, b bulk.Part) int {
	return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:])
}
