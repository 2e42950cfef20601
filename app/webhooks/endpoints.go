// Package webhooks implements the use cases of webhooks: the endpoints of a school, and the delivery
// of messages to them. Start with Webhooks.Create, and with Webhooks.DeliverNext for the delivery.
package webhooks

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"lyceum/app/follow"
	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// deletionBatch is the number of deliveries that one transaction deletes.
const deletionBatch = 10_000

// Documents returns the body of the message about a change, for an actor of the school.
type Documents func(ctx context.Context, a usecase.Actor, c change.Change) ([]byte, error)

// Webhooks manages the webhook endpoints of schools and sends messages to them.
type Webhooks struct {
	deps      usecase.Deps
	queue     ports.Queue
	sender    ports.WebhookSender
	documents Documents
	retention time.Duration
	plain     func(host string) bool // whether messages may be sent to a host without TLS
}

// New returns webhooks that follow the change feeds.
func New(d usecase.Deps, queue ports.Queue, followers *follow.Followers) *Webhooks {
	u := &Webhooks{deps: d, queue: queue, retention: Retention}
	followers.Handle(webhook.Feed, u.queueChanges)
	followers.Handle(webhook.Backlog, u.queueChanges)
	return u
}

// SetSender sets what sends messages, and the addresses of this machine to which they may be sent
// without TLS. It must be called before the first request.
func (u *Webhooks) SetSender(s ports.WebhookSender, plain []netip.Prefix) {
	u.sender = s
	u.plain = func(host string) bool {
		a, err := netip.ParseAddr(host)
		return err == nil && a.IsLoopback() && slices.ContainsFunc(plain, func(p netip.Prefix) bool { return p.Contains(a) })
	}
}

// SetDocuments sets what writes the bodies of messages. It must be called before the first delivery.
func (u *Webhooks) SetDocuments(d Documents) { u.documents = d }

// List returns a page of the endpoints.
func (u *Webhooks) List(ctx context.Context, a usecase.Actor, q query.Query) (query.Result[webhook.Endpoint], error) {
	return u.deps.Read(a).Webhooks.List(ctx, q)
}

// Get returns the endpoint with the given id, or NotFound if it does not exist.
func (u *Webhooks) Get(ctx context.Context, a usecase.Actor, id webhook.ID) (webhook.Endpoint, error) {
	return u.deps.Read(a).Webhooks.Get(ctx, id)
}

// Create adds an endpoint and returns it with its secret. It receives the changes after its
// creation.
func (u *Webhooks) Create(ctx context.Context, a usecase.Actor, c webhook.Changes) (webhook.Endpoint, string, error) {
	id := webhook.ID{UUID: u.deps.IDs.New()}
	secret, sealed, err := u.newSecret(a, id)
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	e, err := webhook.New(id, c, webhook.Secret{Current: sealed}, u.plain, u.deps.Clock.Now())
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	feed, err := u.deps.Read(a).Changes.Feed(ctx)
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Followers.AddIfAbsent(ctx, change.Follower{School: a.School(), Name: webhook.Feed, Position: feed.End}); err != nil {
			return err
		}
		if err := u.deps.CheckOwnKey(ctx, tx, a); err != nil {
			return err
		}
		all, err := tx.Webhooks.List(ctx, query.Query{Page: query.AllRows()})
		if err != nil {
			return err
		}
		if len(all.Items) >= webhook.MaxEndpoints {
			return fault.Forbiddenf("A school can have at most %d webhook endpoints", webhook.MaxEndpoints)
		}
		if err := tx.Webhooks.Add(ctx, e); err != nil {
			return err
		}
		return tx.Audit.Add(ctx, audit.Created, recordOf(id))
	})
	return e, secret, err
}

// Update changes an endpoint.
func (u *Webhooks) Update(ctx context.Context, a usecase.Actor, id webhook.ID, c webhook.Changes) (e webhook.Endpoint, err error) {
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if e, err = u.getForUpdate(ctx, tx, a, id); err != nil {
			return err
		}
		if err := e.Update(c, u.plain, u.deps.Clock.Now()); err != nil {
			return err
		}
		return save(ctx, tx, e, audit.Updated)
	})
	return e, err
}

// getForUpdate locks the endpoint with the given id and returns it. It returns BadCredentials if the
// key of a has been revoked.
func (u *Webhooks) getForUpdate(ctx context.Context, tx ports.Tx, a usecase.Actor, id webhook.ID) (webhook.Endpoint, error) {
	e, err := tx.Webhooks.GetForUpdate(ctx, id)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return e, u.deps.CheckOwnKey(ctx, tx, a)
}

// Delete deletes an endpoint with its deliveries.
func (u *Webhooks) Delete(ctx context.Context, a usecase.Actor, id webhook.ID) error {
	for gone := false; !gone; {
		err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) (err error) {
			for _, name := range []string{webhook.ReplayOf(id), webhook.BacklogOf(id)} {
				if err := tx.Followers.Delete(ctx, name); err != nil {
					return err
				}
			}
			if gone, err = tx.Webhooks.Delete(ctx, id, deletionBatch); err != nil || !gone {
				return err
			}
			if err := tx.Jobs.Delete(ctx, Kind, id.String()); err != nil {
				return err
			}
			return tx.Audit.Add(ctx, audit.Deleted, recordOf(id))
		})
		if err != nil || a.Dependent() {
			return err
		}
	}
	return nil
}

// Rotate gives an endpoint a new secret, which it returns. Messages have signatures with both
// secrets for webhook.Overlap.
func (u *Webhooks) Rotate(ctx context.Context, a usecase.Actor, id webhook.ID) (e webhook.Endpoint, secret string, err error) {
	secret, sealed, err := u.newSecret(a, id)
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if e, err = u.getForUpdate(ctx, tx, a, id); err != nil {
			return err
		}
		now := u.deps.Clock.Now()
		e.Secret.Rotate(sealed, now)
		e.UpdatedAt = now
		return save(ctx, tx, e, audit.Rotated)
	})
	return e, secret, err
}

func save(ctx context.Context, tx ports.Tx, e webhook.Endpoint, action audit.Action) error {
	if err := tx.Webhooks.Save(ctx, e); err != nil {
		return err
	}
	return tx.Audit.Add(ctx, action, recordOf(e.ID))
}

// newSecret returns a new secret of an endpoint, and its encrypted form.
func (u *Webhooks) newSecret(a usecase.Actor, id webhook.ID) (plain, sealed string, err error) {
	plain = webhook.EncodeSecret(u.deps.IDs.Random(webhook.SecretBytes))
	sealed, err = u.deps.Secrets.Seal(plain, purposeOf(a.School(), id))
	return plain, sealed, err
}

// secrets returns the secrets with which messages to an endpoint are signed.
func (u *Webhooks) secrets(s school.ID, e webhook.Endpoint, now time.Time) (all []string, err error) {
	for _, sealed := range e.Secret.Valid(now) {
		plain, err := u.deps.Secrets.Open(sealed, purposeOf(s, e.ID))
		if err != nil {
			return nil, err
		}
		all = append(all, plain)
	}
	return all, nil
}

// purposeOf returns the purpose of the secret of an endpoint, for usecase.Secrets.
func purposeOf(s school.ID, id webhook.ID) string {
	return "webhook secret of " + s.String() + " at " + id.String()
}

// recordOf returns an endpoint as a record of the audit trail.
func recordOf(id webhook.ID) change.Record { return change.Record{Type: webhook.Type, ID: id.String()} }
