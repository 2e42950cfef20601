package webhook

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of endpoints are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(e *Endpoint) uuid.UUID { return e.ID.UUID }),
	query.TextField("url", func(e *Endpoint) string { return e.URL }).Searched(),
	query.TextField("description", func(e *Endpoint) string { return e.Description }).Searched(),
	query.BooleanField("enabled", func(e *Endpoint) bool { return e.Enabled }),
	query.OptionalText("disabled_reason", func(e *Endpoint) *string { return reason(e.Disabled) }),
	query.TimeField("created_at", func(e *Endpoint) time.Time { return e.CreatedAt }),
	query.TimeField("updated_at", func(e *Endpoint) time.Time { return e.UpdatedAt }),
).OrderBy("-created_at")

// DeliverySchema defines the attributes by which lists of deliveries are filtered and sorted.
var DeliverySchema = query.Define(
	query.UUIDField("uuid", func(d *Delivery) uuid.UUID { return d.ID.UUID }),
	query.UUIDField("endpoint.id", func(d *Delivery) uuid.UUID { return d.Endpoint.UUID }),
	query.IntegerField("change.id", func(d *Delivery) int64 { return d.Position }),
	query.TextField("status", func(d *Delivery) string { return string(d.Status) }),
	query.IntegerField("attempts", func(d *Delivery) int64 { return int64(d.Attempts) }),
	query.IntegerField("last_status", func(d *Delivery) int64 { return int64(d.LastStatus) }),
	query.TimeField("created_at", func(d *Delivery) time.Time { return d.CreatedAt }),
	query.OptionalTime("last_attempt_at", func(d *Delivery) *time.Time { return d.LastAttemptAt }),
	query.OptionalTime("next_attempt_at", func(d *Delivery) *time.Time { return d.NextAttemptAt }),
).OrderBy("-created_at")

// reason returns nil for a blank text.
func reason(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
