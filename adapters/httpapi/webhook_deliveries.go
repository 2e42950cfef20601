package httpapi

import (
	"strconv"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/change"
	"lyceum/domain/webhook"
)

func (s *server) listWebhookDeliveries() handler {
	return list(s, lists.Listing[webhook.Delivery]{
		Schema: webhook.DeliverySchema, List: s.app.Webhooks.Deliveries, ToResource: s.webhookDelivery,
	})
}

type deliveryAttributes struct {
	Status        string  `json:"status"`
	Attempts      int     `json:"attempts"`
	LastStatus    *int    `json:"last_status"`
	LastError     *string `json:"last_error"`
	LastDuration  *int64  `json:"last_duration"`
	CreatedAt     string  `json:"created_at"`
	LastAttemptAt *string `json:"last_attempt_at"`
	NextAttemptAt *string `json:"next_attempt_at"`
}

// deliveryRelationships has the endpoint and, unless the message is a ping, the change.
type deliveryRelationships struct {
	Endpoint jsonapi.ToOne  `json:"endpoint"`
	Change   *jsonapi.ToOne `json:"change,omitempty"`
}

func (s *server) webhookDelivery(_ app.Actor, d webhook.Delivery) jsonapi.Resource {
	attributes := deliveryAttributes{
		Status: string(d.Status), Attempts: d.Attempts, LastError: optionalText(d.LastError), CreatedAt: timestamp(d.CreatedAt),
		LastAttemptAt: optionalTimestamp(d.LastAttemptAt), NextAttemptAt: optionalTimestamp(d.NextAttemptAt),
	}
	if d.LastStatus != 0 {
		attributes.LastStatus = &d.LastStatus
	}
	if d.LastAttemptAt != nil {
		attributes.LastDuration = new(d.Duration.Milliseconds())
	}
	of := deliveryRelationships{Endpoint: jsonapi.One(webhook.Type, d.Endpoint.String())}
	if d.Position > 0 {
		of.Change = new(jsonapi.One(change.Type, strconv.FormatInt(d.Position, 10)))
	}
	return jsonapi.Resource{
		Type: webhook.DeliveryType, ID: d.ID.String(), Attributes: attributes, Relationships: of,
		Links: selfLink{Self: s.links.webhookDelivery(d.ID.UUID)},
	}
}
