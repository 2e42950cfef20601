package tables

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
)

// Webhooks contains the webhook endpoints of a school and their deliveries.
type Webhooks struct {
	Endpoints  ordered.Dict[uuid.UUID, webhook.Endpoint]
	Deliveries *ordered.Table[webhook.Delivery]
	byChange   ordered.Dict[deliveredChange, uuid.UUID] // deliveries, except pings
	pending    ordered.Tree[nextAttempt]                // of deliveries with a next attempt
}

// deliveredChange identifies the delivery of a change to an endpoint.
type deliveredChange struct {
	endpoint uuid.UUID
	position int64
}

// nextAttempt identifies the next attempt of a delivery. Attempts are ordered by endpoint, then as
// they are claimed.
type nextAttempt struct {
	endpoint uuid.UUID
	at       time.Time
	position int64
	delivery uuid.UUID
}

func (a nextAttempt) compare(b nextAttempt) int {
	return cmp.Or(ordered.CompareIDs(a.endpoint, b.endpoint), a.at.Compare(b.at), cmp.Compare(a.position, b.position),
		ordered.CompareIDs(a.delivery, b.delivery))
}

// nextAttemptOf returns the next attempt of a delivery and reports whether there is one.
func nextAttemptOf(d *webhook.Delivery) (nextAttempt, bool) {
	if d.NextAttemptAt == nil {
		return nextAttempt{}, false
	}
	return nextAttempt{d.Endpoint.UUID, *d.NextAttemptAt, d.Position, d.ID.UUID}, true
}

// deliveryEndpoint is the attribute of a delivery that divides the table into sections.
const deliveryEndpoint = "endpoint.id"

var deliveryKind = ordered.Kind[webhook.Delivery]{
	Name:   webhook.DeliveryType,
	Schema: webhook.DeliverySchema,
	ID:     func(d *webhook.Delivery) uuid.UUID { return d.ID.UUID },
	Clone: func(d webhook.Delivery) webhook.Delivery {
		d.LastAttemptAt, d.NextAttemptAt = ClonePointer(d.LastAttemptAt), ClonePointer(d.NextAttemptAt)
		return d
	},
	Sections: []ordered.Section[*query.Record[webhook.Delivery]]{{
		Attr: deliveryEndpoint, ID: func(r *query.Record[webhook.Delivery]) uuid.UUID { return r.Row.Endpoint.UUID },
	}},
}

// NewWebhooks returns an empty table.
func NewWebhooks() *Webhooks {
	return &Webhooks{
		Endpoints:  ordered.NewDict[uuid.UUID, webhook.Endpoint](ordered.CompareIDs),
		Deliveries: ordered.NewTable(deliveryKind),
		byChange: ordered.NewDict[deliveredChange, uuid.UUID](func(a, b deliveredChange) int {
			return cmp.Or(ordered.CompareIDs(a.endpoint, b.endpoint), cmp.Compare(a.position, b.position))
		}),
		pending: ordered.NewTree(nextAttempt.compare),
	}
}

// Copy returns a table with the same rows that can be changed independently.
func (t *Webhooks) Copy() *Webhooks {
	return &Webhooks{t.Endpoints.Copy(), t.Deliveries.Copy(), t.byChange.Copy(), t.pending.Copy()}
}

// Put inserts or replaces a delivery.
func (t *Webhooks) Put(d webhook.Delivery) error {
	if d.Position > 0 {
		t.byChange.Set(deliveredChange{d.Endpoint.UUID, d.Position}, d.ID.UUID)
	}
	err := t.put(d)
	if next, ok := nextAttemptOf(&d); ok && err == nil {
		t.pending.Set(next)
	}
	return err
}

// put inserts or replaces the row of a delivery.
func (t *Webhooks) put(d webhook.Delivery) error {
	if !t.Deliveries.Has(d.ID.UUID) {
		return t.Deliveries.Insert(d)
	}
	return t.Deliveries.Update(d.ID.UUID, func(row *webhook.Delivery) {
		if previous, ok := nextAttemptOf(row); ok {
			t.pending.Delete(previous)
		}
		*row = d
	})
}

// DeliveryOf returns the ID of the delivery of the change at the position to an endpoint.
func (t *Webhooks) DeliveryOf(id webhook.ID, position int64) (uuid.UUID, bool) {
	return t.byChange.Get(deliveredChange{id.UUID, position})
}

// Remove removes a delivery.
func (t *Webhooks) Remove(d webhook.Delivery) error {
	t.byChange.Remove(deliveredChange{d.Endpoint.UUID, d.Position})
	if next, ok := nextAttemptOf(&d); ok {
		t.pending.Delete(next)
	}
	return t.Deliveries.Remove(d.ID.UUID)
}

// Of returns the deliveries of an endpoint, newest first.
func (t *Webhooks) Of(id webhook.ID) (found []webhook.Delivery) {
	for r := range t.Deliveries.Rows.Within(deliveryEndpoint, id.UUID).From(0) {
		found = append(found, r.Row)
	}
	return found
}

// attempts returns the first n next attempts of deliveries to an endpoint.
func (t *Webhooks) attempts(id webhook.ID, n int) (found []nextAttempt) {
	t.pending.Ascend(nextAttempt{endpoint: id.UUID}, func(a nextAttempt) bool {
		if a.endpoint != id.UUID || len(found) == n {
			return false
		}
		found = append(found, a)
		return true
	})
	return found
}

// CountDue returns the number of deliveries to an endpoint whose next attempt is not after now, or
// most if there are more.
func (t *Webhooks) CountDue(id webhook.ID, now time.Time, most int) int {
	first := t.attempts(id, most)
	return sort.Search(len(first), func(i int) bool { return first[i].at.After(now) })
}

// Pending returns the first n deliveries to an endpoint that have a next attempt, in the order of
// their attempts, positions and IDs.
func (t *Webhooks) Pending(id webhook.ID, n int) (found []webhook.Delivery, err error) {
	for _, a := range t.attempts(id, n) {
		d, err := t.Deliveries.Get(a.delivery)
		if err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	return found, nil
}

// Excess returns at most n deliveries of an endpoint that were created before the newest kept ones and
// are not pending, the oldest ones.
func (t *Webhooks) Excess(id webhook.ID, kept, n int) []webhook.Delivery {
	newestFirst := t.Deliveries.Rows.Within(deliveryEndpoint, id.UUID)
	if newestFirst.Length() <= kept {
		return nil
	}
	oldestKept := ordered.First(newestFirst.From(kept-1), 1)[0]
	return oldest(newestFirst, oldestKept.Row.CreatedAt, n)
}

// Old returns at most n deliveries that were created before the given time and are not pending.
func (t *Webhooks) Old(before time.Time, n int) []webhook.Delivery {
	return oldest(t.Deliveries.Rows.Whole(), before, n)
}

// oldest returns at most n deliveries that were created before the given time and are not pending. It
// visits the deliveries from the oldest to the first one that was not created before.
func oldest(newestFirst ordered.Span[*query.Record[webhook.Delivery]], before time.Time, n int) (found []webhook.Delivery) {
	const pageSize = 1000
	for end := newestFirst.Length(); end > 0 && len(found) < n; end -= pageSize {
		begin := max(0, end-pageSize)
		page := ordered.First(newestFirst.From(begin), end-begin)
		for _, r := range page {
			if len(found) < n && r.Row.CreatedAt.Before(before) && r.Row.NextAttemptAt == nil {
				found = append(found, r.Row)
			}
		}
		if !page[0].Row.CreatedAt.Before(before) {
			break
		}
	}
	return found
}

// CloneEndpoint returns a copy of e that shares no memory with it.
func CloneEndpoint(e webhook.Endpoint) webhook.Endpoint {
	e.Types = slices.Clone(e.Types)
	e.Secret.OldUntil = ClonePointer(e.Secret.OldUntil)
	e.Health.FailingSince, e.Health.PausedUntil = ClonePointer(e.Health.FailingSince), ClonePointer(e.Health.PausedUntil)
	return e
}
