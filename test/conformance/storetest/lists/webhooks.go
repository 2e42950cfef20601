package lists

import (
	"math/rand/v2"

	"github.com/google/uuid"
	"lyceum/domain/webhook"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

var (
	webhookCase = &Case[webhook.Endpoint]{
		name:   "Webhooks",
		Schema: webhook.Schema.With("link", "https://lyceum.test/webhooks/", "url", ".html"),
		of:     func(r ports.Reader) ports.Lister[webhook.Endpoint] { return r.Webhooks },
		ids:    func(row webhook.Endpoint) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		write:  writeWebhooks,
	}
	webhookDeliveryCase = &Case[webhook.Delivery]{
		name:    "WebhookDeliveries",
		Schema:  webhook.DeliverySchema.With("link", "https://lyceum.test/deliveries/", "status", ".html"),
		of:      func(r ports.Reader) ports.Lister[webhook.Delivery] { return r.WebhookDeliveries },
		outside: true,
		ids:     func(row webhook.Delivery) []uuid.UUID { return []uuid.UUID{row.ID.UUID, row.Endpoint.UUID} },
		words:   []string{"PEND", "failed"},
		write:   writeWebhookDeliveries,
	}
)

// writeWebhooks adds an endpoint for each text.
func writeWebhooks(s fixture.Tenant, rnd *rand.Rand, texts []string) []webhook.Endpoint {
	s.T.Helper()
	var rows []webhook.Endpoint
	for _, text := range texts {
		e := s.NewEndpoint(text)
		e.ID.UUID, e.Description, e.Enabled, e.Disabled = randomID(rnd), fixture.Pick(rnd, texts), rnd.IntN(2) == 0, fixture.Pick(rnd, append(texts, ""))
		e.CreatedAt, e.UpdatedAt = fixture.Pick(rnd, moments), fixture.Pick(rnd, moments)
		rows = append(rows, e)
		s.Save(e)
	}
	return rows
}

// writeWebhookDeliveries adds an endpoint with some deliveries for each text.
func writeWebhookDeliveries(s fixture.Tenant, rnd *rand.Rand, texts []string) []webhook.Delivery {
	s.T.Helper()
	var rows []webhook.Delivery
	for _, text := range texts {
		e := s.NewEndpoint("https://one.test")
		e.ID.UUID = randomID(rnd)
		s.Save(e)
		for position := range int64(3) {
			d := s.NewMessage(e.ID, position)
			d.ID.UUID, d.CreatedAt, d.LastError = randomID(rnd), fixture.Pick(rnd, moments), text
			d.Status = fixture.Pick(rnd, []webhook.Status{webhook.Pending, webhook.Succeeded, webhook.Failed})
			d.Attempts, d.LastStatus = rnd.IntN(4), fixture.Pick(rnd, []int{0, 200, 500})
			d.LastAttemptAt, d.NextAttemptAt = maybe(rnd, moments), maybe(rnd, moments)
			rows = append(rows, d)
			s.AddMessages(d)
		}
	}
	return rows
}
