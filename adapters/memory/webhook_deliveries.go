package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
)

type webhookDeliveries struct{ view view }

// List implements ports.Lister.
func (r webhookDeliveries) List(ctx context.Context, q query.Query) (query.Result[webhook.Delivery], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[webhook.Delivery]{}, err
	}
	return s.webhooks.table.deliveries.List(ctx, q)
}

// Queue implements ports.WebhookRepo.
func (r webhooks) Queue(ctx context.Context, ds []webhook.Delivery) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	t := s.webhooks.writable(s.version)
	for _, d := range ds {
		if _, ok := t.endpoints.Get(d.Endpoint.UUID); !ok {
			return fmt.Errorf("memory: the webhook delivery %s references an unknown endpoint", d.ID)
		}
		if t.deliveries.Has(d.ID.UUID) {
			return fmt.Errorf("memory: %s: duplicate id %s", webhook.DeliveryType, d.ID)
		}
		if kept, ok := t.byChange.Get(deliveredChange{d.Endpoint.UUID, d.Position}); ok && d.Position > 0 {
			again := d
			if d, err = t.deliveries.Get(kept); err != nil {
				return err
			}
			d.Status, d.Attempts, d.QueuedAt, d.NextAttemptAt = again.Status, again.Attempts, again.QueuedAt, again.NextAttemptAt
		}
		if err := t.put(d); err != nil {
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
	due := s.webhooks.table.of(id, func(d *webhook.Delivery) bool { return d.NextAttemptAt != nil && !d.NextAttemptAt.After(now) })
	byPosition := func(a, b webhook.Delivery) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
	}
	slices.SortFunc(due, func(a, b webhook.Delivery) int {
		return cmp.Or(a.NextAttemptAt.Compare(*b.NextAttemptAt), byPosition(a, b))
	})
	due = due[:min(n, len(due))]
	slices.SortFunc(due, byPosition)
	for i := range due {
		due[i].NextAttemptAt = &until
		if err := s.webhooks.writable(s.version).put(due[i]); err != nil {
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
		if kept, err := s.webhooks.table.deliveries.Get(d.ID.UUID); err != nil || !kept.QueuedAt.Equal(d.QueuedAt) {
			continue
		}
		if err := s.webhooks.writable(s.version).put(d); err != nil {
			return nil, err
		}
	}
	s.webhooks.table.of(id, func(d *webhook.Delivery) bool {
		if at := d.NextAttemptAt; at != nil && (next == nil || at.Before(*next)) {
			next = clonePointer(at)
		}
		return false
	})
	return next, nil
}

// DeleteExpiredWebhookDeliveries implements ports.Schools.
func (r schools) DeleteExpiredWebhookDeliveries(ctx context.Context, before time.Time, limit int) (int, error) {
	return sweep(ctx, r, limit, func(s *state, n int) []webhook.Delivery { return s.webhooks.table.old(before, n) },
		func(s *state, d webhook.Delivery) error { return s.webhooks.writable(s.version).remove(d) })
}
