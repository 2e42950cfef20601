package teaching

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
)

// Webhooks returns a page of the webhook endpoints.
func (t *Teaching) Webhooks(ctx context.Context, s Staff, q query.Query) (query.Result[webhook.Endpoint], error) {
	a, err := s.owner()
	if err != nil {
		return query.Result[webhook.Endpoint]{}, err
	}
	return t.app.Webhooks.List(ctx, a, q)
}

// Webhook returns a webhook endpoint.
func (t *Teaching) Webhook(ctx context.Context, s Staff, id webhook.ID) (webhook.Endpoint, error) {
	a, err := s.owner()
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return t.app.Webhooks.Get(ctx, a, id)
}

// CreateWebhook adds a webhook endpoint and returns it with its secret. It returns Conflict if the
// form was processed before.
func (t *Teaching) CreateWebhook(ctx context.Context, s Staff, f Form, c webhook.Changes) (made webhook.Endpoint, secret string, err error) {
	a, err := s.owner()
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	err = t.onlyOnce(ctx, a, f, func(ctx context.Context, a usecase.Actor) (err error) {
		made, secret, err = t.app.Webhooks.Create(ctx, a, c)
		return err
	})
	return made, secret, err
}

// UpdateWebhook changes a webhook endpoint.
func (t *Teaching) UpdateWebhook(ctx context.Context, s Staff, id webhook.ID, c webhook.Changes) (webhook.Endpoint, error) {
	a, err := s.owner()
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return t.app.Webhooks.Update(ctx, a, id, c)
}

// RotateWebhook gives a webhook endpoint a new secret, which it returns. It returns Conflict if the
// form was processed before.
func (t *Teaching) RotateWebhook(ctx context.Context, s Staff, f Form, id webhook.ID) (rotated webhook.Endpoint, secret string, err error) {
	a, err := s.owner()
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	err = t.onlyOnce(ctx, a, f, func(ctx context.Context, a usecase.Actor) (err error) {
		rotated, secret, err = t.app.Webhooks.Rotate(ctx, a, id)
		return err
	})
	return rotated, secret, err
}

// DeleteWebhook deletes a webhook endpoint and its deliveries.
func (t *Teaching) DeleteWebhook(ctx context.Context, s Staff, id webhook.ID) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	return t.app.Webhooks.Delete(ctx, a, id)
}

// PingWebhook queues a message without a change.
func (t *Teaching) PingWebhook(ctx context.Context, s Staff, id webhook.ID) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	_, err = t.app.Webhooks.Ping(ctx, a, id)
	return err
}

// ReplayWebhook queues the messages about all changes after a position again.
func (t *Teaching) ReplayWebhook(ctx context.Context, s Staff, id webhook.ID, after string) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	return t.app.Webhooks.Replay(ctx, a, id, after)
}

// Deliveries returns a page of the deliveries to all webhook endpoints.
func (t *Teaching) Deliveries(ctx context.Context, s Staff, q query.Query) (query.Result[webhook.Delivery], error) {
	a, err := s.owner()
	if err != nil {
		return query.Result[webhook.Delivery]{}, err
	}
	return t.app.Webhooks.Deliveries(ctx, a, q)
}

// ReplayDelivery queues the message of a delivery again.
func (t *Teaching) ReplayDelivery(ctx context.Context, s Staff, id webhook.DeliveryID) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	return t.app.Webhooks.ReplayDelivery(ctx, a, id)
}
