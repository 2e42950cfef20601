package ports

import (
	"context"
	"time"

	"lyceum/domain/school"
	"lyceum/domain/webhook"
)

// WebhookReader reads the webhook endpoints of the school. A school has few endpoints, so a store
// may read all of them to return a page.
type WebhookReader interface {
	Lister[webhook.Endpoint]

	// Get returns the endpoint with the given id, or NotFound if there is none.
	Get(ctx context.Context, id webhook.ID) (webhook.Endpoint, error)

	// CountDue returns the number of pending deliveries of an endpoint whose next attempt is not
	// after now, or most if there are more. It is zero for an unknown endpoint.
	CountDue(ctx context.Context, id webhook.ID, now time.Time, most int) (int, error)
}

// WebhookRepo reads and writes the webhook endpoints of the school and their deliveries.
type WebhookRepo interface {
	WebhookReader

	// GetForUpdate returns the endpoint with the given id and locks it for update. It returns
	// NotFound if there is none.
	GetForUpdate(ctx context.Context, id webhook.ID) (webhook.Endpoint, error)

	// Add inserts a new endpoint. It returns an error if an endpoint of the school has its id.
	Add(ctx context.Context, e webhook.Endpoint) error

	// Save updates an endpoint. It returns NotFound if the endpoint does not exist.
	Save(ctx context.Context, e webhook.Endpoint) error

	// Delete deletes at most the given number of deliveries of the endpoint id, and the endpoint
	// itself with its last delivery. It reports whether the endpoint is gone. It returns NotFound
	// if the endpoint does not exist. It blocks on transactions that have queued deliveries of the
	// endpoint.
	Delete(ctx context.Context, id webhook.ID, most int) (gone bool, err error)

	// Queue inserts deliveries. If the endpoint already has a delivery of the same change, that one
	// gets the Status, Attempts, QueuedAt and NextAttemptAt of the new one instead. It returns an
	// error if an endpoint does not exist.
	Queue(ctx context.Context, ds []webhook.Delivery) error

	// Claim returns at most n pending deliveries of the endpoint whose next attempt is not after
	// now, those with the earliest next attempt, and sets their next attempt to the given time. The
	// result is ordered by position, then by id. Callers do not wait for each other.
	Claim(ctx context.Context, id webhook.ID, n int, now, until time.Time) ([]webhook.Delivery, error)

	// Finish updates deliveries of the endpoint after an attempt. It ignores those that were queued
	// again after they were claimed. It returns the earliest next attempt of the pending deliveries
	// of the endpoint; nil: none is pending.
	Finish(ctx context.Context, id webhook.ID, ds []webhook.Delivery) (next *time.Time, err error)

	// Trim deletes deliveries of the endpoint that are not pending and were created before the newest
	// kept ones: the oldest ones, at most the given number.
	Trim(ctx context.Context, id webhook.ID, kept, most int) error
}

// WebhookMessage is a message to an endpoint.
type WebhookMessage struct {
	School  school.ID
	ID      string
	URL     string
	Secrets []string // the message has a signature for each
	At      time.Time
	Body    []byte
}

// WebhookSender sends messages to endpoints.
type WebhookSender interface {
	// Send sends a message, once. The result has an Error if there is no response.
	Send(ctx context.Context, m WebhookMessage) webhook.Result
}
