package ports

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/school"
)

// Schools keeps the schools themselves and the keys that open them. It is the
// only port that is not bound to one school, so only authentication, by a key or
// by the link to an invitation, the operator's commands, and what removes
// expired records may hold it.
type Schools interface {
	// Add keeps a new school.
	Add(ctx context.Context, s school.School) error

	// List returns all schools by Fold of the name, then id.
	List(ctx context.Context) ([]school.School, error)

	// Find returns the school id, NotFound when there is none.
	Find(ctx context.Context, id school.ID) (school.School, error)

	// AddKey keeps a new key; NotFound when there is no such school.
	AddKey(ctx context.Context, k school.Key) error

	// Keys returns the school's keys, revoked ones too, oldest first, then by id.
	Keys(ctx context.Context, id school.ID) ([]school.Key, error)

	// FindKey returns the key with that hash and its school, revoked or not;
	// NotFound when there is none.
	FindKey(ctx context.Context, h school.Hash) (school.Key, school.School, error)

	// RevokeKey marks the key as revoked at the given time, NotFound when there
	// is none; a key that is revoked already keeps its time.
	RevokeKey(ctx context.Context, id school.KeyID, at time.Time) error

	// FindLink returns the link to an invitation with that hash, of whichever school,
	// NotFound when there is none.
	FindLink(ctx context.Context, h invitation.Hash) (invitation.Link, error)

	// SweepReplays removes the answers to requests of all schools that were taken at
	// that time or before, at most so many, and returns how many it has removed.
	SweepReplays(ctx context.Context, until time.Time, most int) (int, error)

	// SweepDeliveries removes the deliveries of all schools, saved by DeliveryRepo, that
	// were at that time or before, at most so many, and returns how many it has
	// removed. The counters stay.
	SweepDeliveries(ctx context.Context, until time.Time, most int) (int, error)

	// TouchKey records that the key was used at the given time, unless a later
	// use is recorded already. It waits for no other transaction: a key that is
	// unknown, or locked by another transaction, stays as it is. A crash of the
	// database may lose the record.
	TouchKey(ctx context.Context, id school.KeyID, at time.Time) error
}
