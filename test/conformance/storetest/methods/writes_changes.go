package methods

import (
	"context"
	"math"
	"slices"
	"time"

	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// auditMethods contains the methods of ports.AuditReader and ports.AuditLog.
var auditMethods = []portMethod{
	{port: "Audit", method: "Page", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		page, err := r.Audit.Page(ctx, query.Query{Page: query.AllRows()})
		return len(slices.DeleteFunc(page.Items, func(e audit.Event) bool { return e.Record.ID != theirs.Category.ID.String() })), err
	}},
	{port: "Audit", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Audit.Add(ctx, audit.Invited, change.Record{Type: person.Type, ID: theirs.Coursework.Learner.ID.String()})
	}},
	{port: "Audit", method: "EraseAddresses", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		n, err := tx.Audit.EraseAddresses(ctx, theirs.Coursework.Learner.ID, math.MaxInt32)
		return n, err
	}},
	{port: "Audit", method: "SetOrigin", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Audit.SetOrigin(ctx, audit.Origin{Actor: audit.Actor{Type: audit.Session, Person: theirs.Coursework.Learner.ID}})
	}},
}

// followerMethods contains the methods of ports.FollowerRepo.
var followerMethods = []portMethod{
	{port: "Followers", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Followers.Add(ctx, theirs.Follower)
	}},
	{port: "Followers", method: "Delete", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Followers.Delete(ctx, theirs.Follower.Name)
	}},
	{port: "Followers", method: "AddIfAbsent", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, _ fixture.Fixture) (any, error) {
		return nil, tx.Followers.AddIfAbsent(ctx, ours.Follower)
	}},
	{port: "Followers", method: "Extend", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		extended, err := tx.Followers.Extend(ctx, []string{theirs.Follower.Name}, 9)
		if len(extended) > 0 {
			return extended, err
		}
		return nil, err
	}},
	{port: "Followers", method: "Move", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		moved, err := tx.Followers.Move(ctx, theirs.Follower, 9)
		if moved {
			return moved, err
		}
		return nil, err
	}},
}

// webhookMethods contains the methods of ports.WebhookReader and ports.WebhookRepo.
var webhookMethods = []portMethod{
	{port: "Webhooks", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Webhooks, func(e webhook.Endpoint) bool { return e.ID == theirs.Endpoint.ID })
	}},
	{port: "Webhooks", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		_, err := r.Webhooks.Get(ctx, theirs.Endpoint.ID)
		return nil, err
	}},
	{port: "Webhooks", method: "CountDue", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Webhooks.CountDue(ctx, theirs.Endpoint.ID, theirs.Message.CreatedAt, 9))
	}},
	{port: "WebhookDeliveries", method: "List", foreign: empty, outside: true, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.WebhookDeliveries, func(d webhook.Delivery) bool { return d.ID == theirs.Message.ID })
	}},
	{port: "Webhooks", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		_, err := tx.Webhooks.GetForUpdate(ctx, theirs.Endpoint.ID)
		return nil, err
	}},
	{port: "Webhooks", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		e := theirs.Endpoint
		e.ID.UUID = theirs.IDs.New()
		return nil, tx.Webhooks.Add(ctx, e)
	}},
	{port: "Webhooks", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		e := theirs.Endpoint
		e.URL = "https://changed.test"
		return nil, tx.Webhooks.Save(ctx, e)
	}},
	{port: "Webhooks", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Webhooks.Delete(ctx, theirs.Endpoint.ID, 9))
	}},
	{port: "Webhooks", method: "Queue", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		d := theirs.Message
		d.ID.UUID = theirs.IDs.New()
		return nil, tx.Webhooks.Queue(ctx, []webhook.Delivery{d})
	}},
	{port: "Webhooks", method: "Claim", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		claimed, err := tx.Webhooks.Claim(ctx, theirs.Endpoint.ID, 9, *theirs.Message.NextAttemptAt, theirs.Message.NextAttemptAt.Add(time.Minute))
		return len(claimed), err
	}},
	{port: "Webhooks", method: "Trim", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Webhooks.Trim(ctx, theirs.Endpoint.ID, 1, 9)
	}},
	{port: "Webhooks", method: "Finish", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		d := theirs.Message
		d.GiveUp("changed")
		next, err := tx.Webhooks.Finish(ctx, theirs.Endpoint.ID, []webhook.Delivery{d})
		if next == nil {
			return nil, err
		}
		return next, err
	}},
}
