package memory

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/webhook"
)

// webhookTable contains the webhook endpoints of a school and their deliveries.
type webhookTable struct {
	endpoints  ordered.Dict[uuid.UUID, webhook.Endpoint]
	deliveries *ordered.Table[webhook.Delivery]
	byChange   ordered.Dict[deliveredChange, uuid.UUID] // deliveries, except pings
}

// deliveredChange identifies the delivery of a change to an endpoint.
type deliveredChange struct {
	endpoint uuid.UUID
	position int64
}

var deliveryKind = ordered.Kind[webhook.Delivery]{
	Name:   webhook.DeliveryType,
	Schema: webhook.DeliverySchema,
	ID:     func(d *webhook.Delivery) uuid.UUID { return d.ID.UUID },
	Clone: func(d webhook.Delivery) webhook.Delivery {
		d.LastAttemptAt, d.NextAttemptAt = clonePointer(d.LastAttemptAt), clonePointer(d.NextAttemptAt)
		return d
	},
}

func newWebhookTable() *webhookTable {
	return &webhookTable{
		endpoints:  ordered.NewDict[uuid.UUID, webhook.Endpoint](ordered.CompareIDs),
		deliveries: ordered.NewTable(deliveryKind),
		byChange: ordered.NewDict[deliveredChange, uuid.UUID](func(a, b deliveredChange) int {
			return cmp.Or(ordered.CompareIDs(a.endpoint, b.endpoint), cmp.Compare(a.position, b.position))
		}),
	}
}

// Copy returns a table with the same rows that can be changed independently.
func (t *webhookTable) Copy() *webhookTable {
	return &webhookTable{t.endpoints.Copy(), t.deliveries.Copy(), t.byChange.Copy()}
}

// put inserts or replaces a delivery.
func (t *webhookTable) put(d webhook.Delivery) error {
	if d.Position > 0 {
		t.byChange.Set(deliveredChange{d.Endpoint.UUID, d.Position}, d.ID.UUID)
	}
	if t.deliveries.Has(d.ID.UUID) {
		return t.deliveries.Update(d.ID.UUID, func(row *webhook.Delivery) { *row = d })
	}
	return t.deliveries.Insert(d)
}

// remove removes a delivery.
func (t *webhookTable) remove(d webhook.Delivery) error {
	t.byChange.Remove(deliveredChange{d.Endpoint.UUID, d.Position})
	return t.deliveries.Remove(d.ID.UUID)
}

// of returns the deliveries of an endpoint for which keep returns true. It visits all deliveries.
func (t *webhookTable) of(id webhook.ID, keep func(d *webhook.Delivery) bool) (found []webhook.Delivery) {
	for r := range t.deliveries.ByID.From(0) {
		if r.Row.Endpoint == id && keep(&r.Row) {
			found = append(found, deliveryKind.Clone(r.Row))
		}
	}
	return found
}

// old returns at most n deliveries that were created before the given time and are not pending. It
// visits all deliveries.
func (t *webhookTable) old(before time.Time, n int) (found []webhook.Delivery) {
	for r := range t.deliveries.ByID.From(0) {
		if len(found) < n && r.Row.CreatedAt.Before(before) && r.Row.NextAttemptAt == nil {
			found = append(found, r.Row)
		}
	}
	return found
}

func cloneEndpoint(e webhook.Endpoint) webhook.Endpoint {
	e.Types = slices.Clone(e.Types)
	e.Secret.OldUntil = clonePointer(e.Secret.OldUntil)
	e.Health.FailingSince, e.Health.PausedUntil = clonePointer(e.Health.FailingSince), clonePointer(e.Health.PausedUntil)
	return e
}
