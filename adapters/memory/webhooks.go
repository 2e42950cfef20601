package memory

import (
	"context"
	"fmt"

	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

var _ ports.WebhookRepo = webhooks{}

type webhookReader struct{ view view }

// List implements ports.WebhookReader.
func (r webhookReader) List(ctx context.Context, q query.Query) (query.Result[webhook.Endpoint], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[webhook.Endpoint]{}, err
	}
	var all []webhook.Endpoint
	for e := range s.webhooks.table.endpoints.From(0) {
		all = append(all, cloneEndpoint(e))
	}
	return webhook.Schema.Evaluate(q, all), nil
}

// Get implements ports.WebhookReader.
func (r webhookReader) Get(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	e, ok := s.webhooks.table.endpoints.Get(id.UUID)
	if !ok {
		return webhook.Endpoint{}, fault.RecordNotFound()
	}
	return cloneEndpoint(e), nil
}

type webhooks struct {
	webhookReader
	tx *tx
}

// GetForUpdate implements ports.WebhookRepo.
func (r webhooks) GetForUpdate(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	return r.Get(ctx, id)
}

// Add implements ports.WebhookRepo.
func (r webhooks) Add(ctx context.Context, e webhook.Endpoint) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if _, ok := s.webhooks.table.endpoints.Get(e.ID.UUID); ok {
		return fmt.Errorf("memory: %s: %w: %s", webhook.Type, ports.ErrExists, e.ID)
	}
	s.webhooks.writable(s.version).endpoints.Set(e.ID.UUID, cloneEndpoint(e))
	return nil
}

// Save implements ports.WebhookRepo.
func (r webhooks) Save(ctx context.Context, e webhook.Endpoint) error {
	if _, err := r.Get(ctx, e.ID); err != nil {
		return err
	}
	s := r.tx.state
	s.webhooks.writable(s.version).endpoints.Set(e.ID.UUID, cloneEndpoint(e))
	return nil
}

// Delete implements ports.WebhookRepo. It ignores the limit.
func (r webhooks) Delete(ctx context.Context, id webhook.ID, _ int) (bool, error) {
	if _, err := r.Get(ctx, id); err != nil {
		return false, err
	}
	t := r.tx.state.webhooks.writable(r.tx.state.version)
	for _, d := range t.of(id, func(*webhook.Delivery) bool { return true }) {
		if err := t.remove(d); err != nil {
			return false, err
		}
	}
	t.endpoints.Remove(id.UUID)
	return true, nil
}
