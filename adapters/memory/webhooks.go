package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
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
	for e := range s.webhooks.table.Endpoints.From(0) {
		all = append(all, tables.CloneEndpoint(e))
	}
	return webhook.Schema.Evaluate(q, all), nil
}

// Get implements ports.WebhookReader.
func (r webhookReader) Get(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	e, ok := s.webhooks.table.Endpoints.Get(id.UUID)
	if !ok {
		return webhook.Endpoint{}, fault.RecordNotFound()
	}
	return tables.CloneEndpoint(e), nil
}

// CountDue implements ports.WebhookReader.
func (r webhookReader) CountDue(ctx context.Context, id webhook.ID, now time.Time, most int) (int, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return 0, err
	}
	return s.webhooks.table.CountDue(id, now, most), nil
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
	if _, ok := s.webhooks.table.Endpoints.Get(e.ID.UUID); ok {
		return fmt.Errorf("memory: %s: %w: %s", webhook.Type, ports.ErrExists, e.ID)
	}
	s.webhooks.writable(s.version).Endpoints.Set(e.ID.UUID, tables.CloneEndpoint(e))
	return nil
}

// Save implements ports.WebhookRepo.
func (r webhooks) Save(ctx context.Context, e webhook.Endpoint) error {
	if _, err := r.Get(ctx, e.ID); err != nil {
		return err
	}
	s := r.tx.state
	s.webhooks.writable(s.version).Endpoints.Set(e.ID.UUID, tables.CloneEndpoint(e))
	return nil
}

// Delete implements ports.WebhookRepo. It ignores the limit.
func (r webhooks) Delete(ctx context.Context, id webhook.ID, _ int) (bool, error) {
	if _, err := r.Get(ctx, id); err != nil {
		return false, err
	}
	t := r.tx.state.webhooks.writable(r.tx.state.version)
	for _, d := range t.Of(id) {
		if err := t.Remove(d); err != nil {
			return false, err
		}
	}
	t.Endpoints.Remove(id.UUID)
	return true, nil
}

type webhookDeliveries struct{ view view }

// List implements ports.Lister.
func (r webhookDeliveries) List(ctx context.Context, q query.Query) (query.Result[webhook.Delivery], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[webhook.Delivery]{}, err
	}
	return s.webhooks.table.Deliveries.List(ctx, q)
}

// Queue implements ports.WebhookRepo.
func (r webhooks) Queue(ctx context.Context, ds []webhook.Delivery) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	t := s.webhooks.writable(s.version)
	for _, d := range ds {
		if _, ok := t.Endpoints.Get(d.Endpoint.UUID); !ok {
			return fmt.Errorf("memory: the webhook delivery %s references an unknown endpoint", d.ID)
		}
		if t.Deliveries.Has(d.ID.UUID) {
			return fmt.Errorf("memory: %s: duplicate id %s", webhook.DeliveryType, d.ID)
		}
		if kept, ok := t.DeliveryOf(d.Endpoint, d.Position); ok && d.Position > 0 {
			again := d
			if d, err = t.Deliveries.Get(kept); err != nil {
				return err
			}
			d.Status, d.Attempts, d.QueuedAt, d.NextAttemptAt = again.Status, again.Attempts, again.QueuedAt, again.NextAttemptAt
		}
		if err := t.Put(d); err != nil {
			return err
		}
	}
	return nil
}

// Claim implements ports.WebhookRepo.
func (r webhooks) Claim(ctx context.Context, id webhook.ID, n int, now, until time.Time) ([]webhook.Delivery, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	due, err := s.webhooks.table.Pending(id, n)
	if err != nil {
		return nil, err
	}
	due = due[:sort.Search(len(due), func(i int) bool { return due[i].NextAttemptAt.After(now) })]
	slices.SortFunc(due, func(a, b webhook.Delivery) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
	})
	for i := range due {
		due[i].NextAttemptAt = &until
		if err := s.webhooks.writable(s.version).Put(due[i]); err != nil {
			return nil, err
		}
	}
	return due, nil
}

// Finish implements ports.WebhookRepo.
func (r webhooks) Finish(ctx context.Context, id webhook.ID, ds []webhook.Delivery) (next *time.Time, err error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range ds {
		if kept, err := s.webhooks.table.Deliveries.Get(d.ID.UUID); err != nil || !kept.QueuedAt.Equal(d.QueuedAt) {
			continue
		}
		if err := s.webhooks.writable(s.version).Put(d); err != nil {
			return nil, err
		}
	}
	first, err := s.webhooks.table.Pending(id, 1)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	return first[0].NextAttemptAt, nil
}

// Trim implements ports.WebhookRepo.
func (r webhooks) Trim(ctx context.Context, id webhook.ID, kept, most int) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, d := range s.webhooks.table.Excess(id, kept, most) {
		if err := s.webhooks.writable(s.version).Remove(d); err != nil {
			return err
		}
	}
	return nil
}

// DeleteExpiredWebhookDeliveries implements ports.Schools.
func (r schools) DeleteExpiredWebhookDeliveries(ctx context.Context, before time.Time, limit int) (int, error) {
	return sweep(ctx, r, limit, func(s *state, n int) []webhook.Delivery { return s.webhooks.table.Old(before, n) },
		func(s *state, d webhook.Delivery) error { return s.webhooks.writable(s.version).Remove(d) })
}
