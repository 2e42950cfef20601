package httpapi

import (
	"strconv"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/change"
	"lyceum/domain/webhook"
)

func (s *server) listWebhookEndpoints() handler {
	return list(s, lists.Listing[webhook.Endpoint]{
		Schema: webhook.Schema, List: s.app.Webhooks.List, ToResource: s.webhookEndpoint,
	})
}

// newEndpoint is an endpoint and its new secret, which is shown only once.
type newEndpoint struct {
	endpoint webhook.Endpoint
	secret   string
}

// readWebhookEndpoint reads the attributes of an endpoint.
func readWebhookEndpoint(d *request.Document) webhook.Changes {
	return webhook.Changes{
		URL: d.Text("url"), Types: request.Attribute(d, "types", request.TextsOf),
		Description: request.Attribute(d, "description", orBlank(request.TextOf)), Enabled: d.Bool("enabled"),
	}
}

func (s *server) createWebhookEndpoint(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, webhook.Type)
	if err != nil {
		return err
	}
	params := readWebhookEndpoint(d)
	made, err := collectFaults(d.Faults, a, func(a app.Actor) (newEndpoint, error) {
		e, secret, err := s.app.Webhooks.Create(c.Request.Context(), a, params)
		return newEndpoint{e, secret}, err
	})
	if err != nil {
		return err
	}
	return s.writeNewSecret(c, made)
}

func (s *server) updateWebhookEndpoint() handler {
	return updateHandler(s, webhook.Type, readWebhookEndpoint, s.app.Webhooks.Update, s.webhookEndpoint)
}

func (s *server) rotateWebhookSecret(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	e, secret, err := s.app.Webhooks.Rotate(c.Request.Context(), a, webhook.ID{UUID: id})
	if err != nil {
		return err
	}
	return s.writeNewSecret(c, newEndpoint{e, secret})
}

func (s *server) pingWebhookEndpoint(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.app.Webhooks.Ping(c.Request.Context(), a, webhook.ID{UUID: id})
	if err != nil {
		return err
	}
	return s.WriteAccepted(c, s.links.webhookDelivery(d.ID.UUID), s.webhookDelivery(a, d))
}

// replayType is the resource type of the document that asks for a replay.
const replayType = "webhook_replays"

func (s *server) replayWebhookEndpoint(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readNew(c, replayType)
	if err != nil {
		return err
	}
	after := d.NewText("after")
	_, err = collectFaults(d.Faults, a, func(a app.Actor) (struct{}, error) {
		return struct{}{}, s.app.Webhooks.Replay(c.Request.Context(), a, webhook.ID{UUID: id}, after)
	})
	if err != nil {
		return err
	}
	respond.WriteNoContent(c)
	return nil
}

// writeNewSecret responds with an endpoint and its new secret. Caches must not store the response.
func (s *server) writeNewSecret(c *gin.Context, made newEndpoint) error {
	respond.StateOf(c).Secret = &respond.Holder{Type: webhook.Type, UUID: made.endpoint.ID.String()}
	r := s.webhookEndpoint(app.Actor{}, made.endpoint)
	r.Attributes = newEndpointAttributes{endpointAttributes: r.Attributes.(endpointAttributes), Secret: made.secret}
	return s.WriteResource(c, s.links.webhookEndpoint(made.endpoint.ID.UUID), r)
}

type endpointAttributes struct {
	URL            string   `json:"url"`
	Types          []string `json:"types"`
	Description    string   `json:"description"`
	Enabled        bool     `json:"enabled"`
	DisabledReason *string  `json:"disabled_reason"`
	CreatedAt      string   `json:"created_at"`
	UpdatedAt      string   `json:"updated_at"`
}

type newEndpointAttributes struct {
	endpointAttributes
	Secret string `json:"secret"`
}

func (s *server) webhookEndpoint(_ app.Actor, e webhook.Endpoint) jsonapi.Resource {
	return jsonapi.Resource{
		Type: webhook.Type,
		ID:   e.ID.String(),
		Attributes: endpointAttributes{
			URL: e.URL, Types: e.Types, Description: e.Description, Enabled: e.Enabled, DisabledReason: optionalText(e.Disabled),
			CreatedAt: timestamp(e.CreatedAt), UpdatedAt: timestamp(e.UpdatedAt),
		},
		Links: selfLink{Self: s.links.webhookEndpoint(e.ID.UUID)},
	}
}

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
