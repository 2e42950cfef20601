package ports

import (
	"context"
	"errors"
	"time"

	"lyceum/domain/change"
	"lyceum/domain/invitation"
	"lyceum/domain/school"
)

// ErrNotPermitted means that the database role of the program lacks a privilege.
var ErrNotPermitted = errors.New("the database role lacks the privilege")

// Schools stores the schools and their API keys. It is not bound to one school, so only
// authentication (by a key, a link or a session), the operator's commands, the deletion of expired
// records and the workers that follow the change feeds may use it.
type Schools interface {
	// List returns all schools, ordered by text.Fold of the name, then by id.
	List(ctx context.Context) ([]school.School, error)

	// Get returns the school with the given id, or NotFound if there is none.
	Get(ctx context.Context, id school.ID) (school.School, error)

	// BySlug returns the school with the given slug, or NotFound if there is none.
	BySlug(ctx context.Context, slug string) (school.School, error)

	// Only returns the school if there is exactly one, otherwise NotFound. It reads at most two
	// schools.
	Only(ctx context.Context) (school.School, error)

	// Delete deletes at most the given number of records of the school id, in a transaction of its
	// own, and the school itself with its last record. It reports whether the deletion is complete:
	// then no method finds the school or its records, keys and jobs. For an unknown school, it
	// returns true. Until the deletion is complete, readers may see the school with some of its
	// records. A store may delete more records at once if other requests do not wait for it. It
	// does not delete files.
	Delete(ctx context.Context, id school.ID, most int) (gone bool, err error)

	// ListKeys returns the school's keys, including revoked ones, oldest first, then by id.
	ListKeys(ctx context.Context, id school.ID) ([]school.Key, error)

	// KeyByHash returns the key with the given hash, which may be revoked, and its school. It
	// returns NotFound if there is none. It never reads an older state than that of the store, even
	// if the context says that a copy may serve reads.
	KeyByHash(ctx context.Context, h school.Hash) (school.Key, school.School, error)

	// OwnerOfKey returns the school of the key, which may be revoked, or NotFound if there is no
	// such key.
	OwnerOfKey(ctx context.Context, id school.KeyID) (school.ID, error)

	// InvitationLinkByHash returns the invitation link with the given hash, of any school, or
	// NotFound if there is none.
	InvitationLinkByHash(ctx context.Context, h invitation.Hash) (invitation.Link, error)

	// DeleteExpiredResponses deletes at most limit recorded responses that were claimed at or
	// before the given time, in all schools, and returns how many it deleted.
	DeleteExpiredResponses(ctx context.Context, before time.Time, limit int) (int, error)

	// DeleteExpiredDeliveries deletes at most limit deliveries of all schools whose time is not
	// after the given time, and returns how many it deleted. It does not delete the counters.
	DeleteExpiredDeliveries(ctx context.Context, before time.Time, limit int) (int, error)

	// ExpireChanges removes the changes of all schools that are older than before from the change
	// feeds, and sets the Start of these feeds. Their audit events remain.
	ExpireChanges(ctx context.Context, before time.Time) error

	// DeleteExpiredAuditEvents deletes at most limit audit events of all schools that are older
	// than before, and their changes, and returns how many it deleted. It returns ErrNotPermitted
	// if the database refuses it.
	DeleteExpiredAuditEvents(ctx context.Context, before time.Time, limit int) (int, error)

	// DeleteExpiredSignIns deletes at most limit sessions, at most limit sign-in links and at most
	// limit learner tokens that expired at or before the given time, in all schools, and returns the
	// largest of the three numbers.
	DeleteExpiredSignIns(ctx context.Context, before time.Time, limit int) (int, error)

	// DeleteExpiredWebhookDeliveries deletes at most limit webhook deliveries of all schools that
	// were created before the given time and are not pending, and returns how many it deleted.
	DeleteExpiredWebhookDeliveries(ctx context.Context, before time.Time, limit int) (int, error)

	// DeleteExpiredBulkJobs deletes at most limit bulk jobs of all schools that were finished at or
	// before the given time, with their parts, and returns how many it deleted. A bulk job is
	// finished when the last of its parts is; a job without parts is finished when it is added.
	DeleteExpiredBulkJobs(ctx context.Context, before time.Time, limit int) (int, error)

	// FollowersBehind returns the followers that have work to do, ordered by the school, then by
	// the name: those with one of the names whose school has changes after their position, and all
	// that have an end (Until). For the names in everywhere it also returns a follower with the
	// position change.New for each school without a follower of that name.
	FollowersBehind(ctx context.Context, names, everywhere []string) ([]change.Follower, error)

	// TouchKey records that the key was used at the given time, unless a later use is already
	// recorded. It does not wait for other transactions: if another transaction has locked the key,
	// TouchKey changes nothing. It also changes nothing if the key does not exist. If the database
	// crashes, the recorded time may be lost.
	TouchKey(ctx context.Context, id school.KeyID, at time.Time) error
}
