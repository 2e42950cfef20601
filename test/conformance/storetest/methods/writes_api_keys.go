package methods

import (
	"context"
	"math"

	"github.com/google/uuid"
	"lyceum/domain/idempotency"
	"lyceum/domain/invitation"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// keyMethods contains the methods of ports.KeyReader, ports.KeyRepo and ports.IdempotencyRepo.
var keyMethods = []portMethod{
	{port: "Keys", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Keys, func(k school.Key) bool { return k.ID == theirs.Key.ID })
	}},
	{port: "Keys", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		_, err := r.Keys.Get(ctx, theirs.Key.ID)
		return nil, err
	}},
	{port: "Keys", method: "GetAllForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		all, err := tx.Keys.GetAllForUpdate(ctx)
		n := 0
		for _, k := range all {
			if k.ID == theirs.Key.ID {
				n++
			}
		}
		return n, err
	}},
	{port: "Keys", method: "GetForShare", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Keys.GetForShare(ctx, theirs.Key.ID))
	}},
	{port: "Keys", method: "Add", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		k := theirs.Key
		k.ID, k.Hash = school.KeyID{UUID: uuid.New()}, school.HashSecret(uuid.NewString())
		return nil, tx.Keys.Add(ctx, k)
	}},
	{port: "Keys", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		k := theirs.Key
		k.Name = "Changed"
		return nil, tx.Keys.Save(ctx, k)
	}},
	{port: "Idempotency", method: "Claim", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		_, found, err := tx.Idempotency.Claim(ctx, theirs.Claim, fixture.Expiry(theirs.Claim))
		if !found {
			return nil, err
		}
		return found, err
	}},
	{port: "Idempotency", method: "SaveResponse", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Idempotency.SaveResponse(ctx, theirs.Claim.ID, idempotency.Response{Status: 200})
	}},
	{port: "Idempotency", method: "EraseByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Idempotency.EraseByPerson(ctx, theirs.Learner.ID, math.MaxInt32))
	}},
	{port: "Idempotency", method: "DeleteExpired", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		return result(tx.Idempotency.DeleteExpired(ctx, fake.Start, 10)) // no response is older
	}},
}

// deliveryMethods contains the methods of ports.DeliveryRepo.
var deliveryMethods = []portMethod{
	{port: "Deliveries", method: "GetDayForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Deliveries.GetDayForUpdate(ctx))
	}},
	{port: "Deliveries", method: "Last", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Deliveries.Last(ctx, theirs.Delivery.Address))
	}},
	{port: "Deliveries", method: "Save", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Deliveries.Save(ctx, invitation.Day{Start: fake.Start, Messages: 1}, theirs.Delivery)
	}},
}
