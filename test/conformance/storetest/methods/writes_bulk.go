package methods

import (
	"context"
	"slices"

	"lyceum/domain/bulk"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// lookupMethods contains the methods that find many records by a name or code. They are called
// first, because later methods add records with the same names as records of the other school.
var lookupMethods = []portMethod{
	{port: "People", method: "ByEmail", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.People.ByEmail(ctx, []string{theirs.Learner.Email})
		return len(found), err
	}},
	{port: "Groups", method: "IDsByName", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Groups.IDsByName(ctx, []string{theirs.Group.Name})
		return len(found), err
	}},
	{port: "Coupons", method: "IDsByCode", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Coupons.IDsByCode(ctx, []string{theirs.Coupon.Code})
		return len(found), err
	}},
	{port: "Courses", method: "IDsByPermalink", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Courses.IDsByPermalink(ctx, []string{theirs.Course.Permalink})
		return len(found), err
	}},
}

// bulkMethods contains the methods of ports.BulkReader and ports.BulkRepo, and
// PersonRepo.AddIfAbsent.
var bulkMethods = []portMethod{
	{port: "Bulk", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		j, err := r.Bulk.Get(ctx, theirs.Bulk.ID)
		return len(j.Errors), err
	}},
	{port: "Bulk", method: "WaitingForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		parts, err := tx.Bulk.WaitingForUpdate(ctx, text.UniqueKey(theirs.Part.Rows[0].Subject))
		parts = slices.DeleteFunc(parts, func(p bulk.Part) bool { return p.ID != theirs.Part.ID }) // the subjects are equal
		return len(parts), err
	}},
	{port: "Bulk", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		j, p := theirs.Bulk, theirs.Part
		j.ID, p.ID = bulk.ID{UUID: theirs.IDs.New()}, bulk.PartID{UUID: theirs.IDs.New()}
		return nil, tx.Bulk.Add(ctx, j, []bulk.Part{p})
	}},
	{port: "Bulk", method: "GetPartForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		p, err := tx.Bulk.GetPartForUpdate(ctx, theirs.Part.ID)
		return len(p.Rows), err
	}},
	{port: "Bulk", method: "GetPartNumbersForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		p, err := tx.Bulk.GetPartNumbersForUpdate(ctx, theirs.Part.ID)
		return len(p.Rows), err
	}},
	{port: "Bulk", method: "SaveRows", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Bulk.SaveRows(ctx, theirs.Part)
	}},
	{port: "Bulk", method: "SplitPart", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		p, rest := theirs.Part.SplitAt(theirs.Part.Rows[1].Number, bulk.PartID{UUID: theirs.IDs.New()})
		return nil, tx.Bulk.SplitPart(ctx, p, rest)
	}},
	{port: "Bulk", method: "FinishPart", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Bulk.FinishPart(ctx, theirs.Part.ID, bulk.Outcome{Rows: 2, At: fake.Start})
	}},
	{port: "People", method: "AddIfAbsent", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The address is the address of the other school's person.
		p := theirs.Learner
		p.ID, p.Email = person.ID{UUID: theirs.IDs.New()}, theirs.Partner.Email
		_, err := tx.People.AddIfAbsent(ctx, []person.Person{person.Restore(p)})
		return nil, err
	}},
}
