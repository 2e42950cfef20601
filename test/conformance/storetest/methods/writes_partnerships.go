package methods

import (
	"context"

	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// partnershipMethods contains the methods of ports.PartnershipReader and ports.PartnershipRepo.
var partnershipMethods = []portMethod{
	{port: "Partnerships", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Partnerships, func(p person.Partnership) bool { return p.ID == theirs.Partnership.ID })
	}},
	{port: "Partnerships", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Partnerships.Get(ctx, theirs.Partnership.ID))
	}},
	{port: "Partnerships", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Partnerships.GetManyForShare(ctx, []person.PartnershipID{ours.Partnership.ID, theirs.Partnership.ID})
		delete(found, ours.Partnership.ID)
		return len(found), err
	}},
	{port: "Partnerships", method: "ExistsForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Partnerships.ExistsForShare(ctx, theirs.Partnership.ID)
		return fixture.Ordinal(found), err
	}},
	{port: "Partnerships", method: "InstructsForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Partnerships.InstructsForShare(ctx, theirs.Partnership.ID, theirs.Course.ID)
		return fixture.Ordinal(found), err
	}},
	{port: "Partnerships", method: "OwnersForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		// The method takes no record. A fixture has no owner.
		found, err := tx.Partnerships.OwnersForUpdate(ctx)
		return len(found), err
	}},
	{port: "Partnerships", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Partnerships.Delete(ctx, theirs.Partnership.ID)
	}},
	{port: "Partnerships", method: "AddIfAbsent", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Partnerships.AddIfAbsent(ctx, person.Partnership{
			ID: person.PartnershipID{UUID: theirs.IDs.New()}, Person: theirs.Learner.ID, Role: person.Owner, CreatedAt: fake.Start,
		}))
	}},
	{port: "Partnerships", method: "ByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Partnerships.ByPerson(ctx, theirs.Partner.ID)
		return len(found), err
	}},
}
