package webhook

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/job"
)

// DeliveryType is the resource type of deliveries.
const DeliveryType = "webhook_deliveries"

// Period is how long a message is retried, and how long an endpoint may fail until it is disabled.
const Period = 3 * 24 * time.Hour

// MaxKept is how many of its newest deliveries an endpoint keeps at least, until their retention ends.
// Older ones that are not pending are deleted, because a request of 30 bytes can cause 100,000 changes,
// each with a delivery to every endpoint of the school.
const MaxKept = 50_000

// retries are the pauses between the attempts to deliver a message: about twenty in the Period.
var retries = job.RetryPolicy{MaxAttempts: 1 << 30, InitialDelay: 5 * time.Second, MaxDelay: 6 * time.Hour}

// DeliveryID identifies a delivery, and the message in the header webhook-id.
type DeliveryID struct{ uuid.UUID }

// Status is the state of a delivery.
type Status string

// The states of a delivery.
const (
	Pending   Status = "pending" // will be sent at NextAttemptAt
	Succeeded Status = "succeeded"
	Failed    Status = "failed" // will not be sent again, unless it is replayed
)

// Delivery is one message to an endpoint. Its body is not stored.
type Delivery struct {
	ID            DeliveryID
	Endpoint      ID
	Position      int64 // position of the change; 0: a ping
	Status        Status
	Attempts      int
	LastStatus    int           // status of the last response; 0: none
	LastError     string        // why the last attempt got no response; blank: it got one
	Duration      time.Duration // of the last attempt, in milliseconds
	CreatedAt     time.Time
	QueuedAt      time.Time  // when the Period began
	LastAttemptAt *time.Time // nil: no attempt
	NextAttemptAt *time.Time // nil unless Pending
}

// NewDelivery returns a delivery of the change at a position, or of a ping if the position is 0.
func NewDelivery(id DeliveryID, to ID, position int64, now time.Time) Delivery {
	return Delivery{
		ID: id, Endpoint: to, Position: position, Status: Pending, CreatedAt: now, QueuedAt: now, NextAttemptAt: &now,
	}
}

// Record updates d after an attempt. It plans the next attempt until the Period ends. spread, from 0
// to 1, lengthens the pause.
func (d *Delivery) Record(r Result, spread float64, now time.Time) {
	d.Attempts++
	d.LastStatus, d.LastError, d.Duration, d.LastAttemptAt = r.Status, r.Error, r.Duration.Truncate(time.Millisecond), &now
	end := d.QueuedAt.Add(Period)
	switch {
	case r.Succeeded():
		d.Status, d.NextAttemptAt = Succeeded, nil
	case !now.Before(end):
		d.Status, d.NextAttemptAt = Failed, nil
	default:
		next, _ := retries.Next(d.Attempts, spread, now)
		if next.After(end) {
			next = end
		}
		d.NextAttemptAt = &next
	}
}

// GiveUp ends a delivery that cannot be sent for the given reason.
func (d *Delivery) GiveUp(reason string) {
	d.Status, d.LastError, d.NextAttemptAt = Failed, reason, nil
}
