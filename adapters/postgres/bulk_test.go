package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

// If the rows of a part cannot be decoded, GetPartNumbersForUpdate must still return their numbers.
func TestPartNumbersOfUndecodableRows(t *testing.T) {
	for _, damage := range []string{
		`UPDATE bulk_parts SET rows = '{' WHERE number = 1`,
		`UPDATE bulk_parts SET rows = '[{"number":3,"errors":[{"kind":"new"}]}]' WHERE number = 1`,
		`UPDATE bulk_parts SET rows = NULL WHERE number = 1`,
	} {
		is := is.New(t)
		s, db := freshStore(t)
		id := newSchool(t, s)
		j, parts := newParts(t, 150)
		is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.Add(ctx, j, parts) }))
		execute(t, db, damage)
		is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Bulk.GetPartForUpdate(ctx, parts[1].ID)
			is.True(err != nil)
			p, err := tx.Bulk.GetPartNumbersForUpdate(ctx, parts[1].ID) // works in the same transaction after the error
			is.NoErr(err)
			is.Equal([]int{len(p.Rows), p.Rows[0].Number, p.Rows[49].Number}, []int{50, 100, 149})
			return nil
		}))
	}
}

// A deletion reads only the rows of parts about the person: a part can have a megabyte of rows, and a
// school can have a thousand parts. Parts of a server of an earlier version are read.
func TestWaitingPartsOfOthersAreNotRead(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	j, parts := newParts(t, 300)
	for i := range parts[1].Rows {
		parts[1].Rows[i].Subject = "gr\u00e1ce@example.test"
	}
	is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error { return tx.Bulk.Add(ctx, j, parts) }))
	execute(t, db, `UPDATE bulk_parts SET rows = '{"\u00e1' WHERE number = 1`, `UPDATE bulk_parts SET subjects = NULL WHERE number = 2`)
	is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		waiting, err := tx.Bulk.WaitingForUpdate(ctx, "ada@example.test")
		is.NoErr(err)
		is.Equal(len(waiting), 2)
		return nil
	}))
}

func newParts(t *testing.T, rows int) (bulk.Job, []bulk.Part) {
	t.Helper()
	j, err := bulk.New(bulk.ID{UUID: uuid.New()}, bulk.People, policy.Actor{Scope: school.Admin}, rows, time.Now().UTC().Truncate(time.Millisecond))
	is.New(t).NoErr(err)
	all := make([]bulk.Row, rows)
	for i := range all {
		all[i] = bulk.Row{Number: i, Subject: "ada@example.test"}
	}
	return j, bulk.Parts(j, all, uuid.New)
}
