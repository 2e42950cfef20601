package apitest

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// Webhook endpoints and a delivery of a ping to each.
const (
	ownEndpoint   = "00000000-0000-4000-8000-0000000000f3"
	ownDelivery   = "00000000-0000-4000-8000-0000000000f4"
	theirEndpoint = "00000000-0000-4000-8000-0000000001f3"
	theirDelivery = "00000000-0000-4000-8000-0000000001f4"
)

// saveWebhook saves a webhook endpoint and a delivery of a ping that failed once.
func (s *server) saveWebhook(t *testing.T, in school.ID, endpoint, delivery string) {
	t.Helper()
	now := s.clock.Now()
	e := webhook.Endpoint{
		ID: webhook.ID{UUID: uuid.MustParse(endpoint)}, URL: "https://hooks.example.test/a?b&c", Types: []string{"*"}, Description: "Warehouse",
		Enabled: true, CreatedAt: now, UpdatedAt: now,
	}
	d := webhook.NewDelivery(webhook.DeliveryID{UUID: uuid.MustParse(delivery)}, e.ID, 0, now)
	d.Record(webhook.Result{Status: 500, Duration: 41e6}, 0, now)
	err := s.store.InTx(t.Context(), in, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Webhooks.Add(ctx, e); err != nil {
			return err
		}
		return tx.Webhooks.Queue(ctx, []webhook.Delivery{d})
	})
	if err != nil {
		t.Fatal(err)
	}
}
