package app

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/ports"
)

// AuditRetention is how long audit events are kept if the operator configures no other time.
const AuditRetention = 365 * 24 * time.Hour

// auditSweepBatch is the maximum number of audit events that one call of Sweep deletes.
const auditSweepBatch = 1000

// Audit reads the audit trail.
type Audit struct {
	deps      usecase.Deps
	retention time.Duration
}

// KeepFor sets how long audit events are kept; 0: forever. It must be called before Sweep.
func (u *Audit) KeepFor(d time.Duration) { u.retention = d }

// List returns a page of the trail, newest first unless q has a sort.
func (u *Audit) List(ctx context.Context, a Actor, q query.Query) (query.Result[audit.Event], error) {
	return u.deps.Read(a).Audit.Page(ctx, q)
}

// Exported records that the actor exports all records of a type.
func (u *Audit) Exported(ctx context.Context, a Actor, typ string) error {
	return u.deps.InTx(ctx, a.Permit(), func(ctx context.Context, tx ports.Tx) error {
		return tx.Audit.Add(ctx, audit.Exported, change.Record{Type: typ, ID: audit.All})
	})
}

// Sweep deletes the oldest expired events of all schools and reports whether there may be more. It
// returns ports.ErrNotPermitted if the database role has no right to delete events.
func (u *Audit) Sweep(ctx context.Context) (more bool, err error) {
	if u.retention == 0 {
		return false, nil
	}
	n, err := u.deps.Schools.DeleteExpiredAuditEvents(ctx, u.deps.Clock.Now().Add(-u.retention), auditSweepBatch)
	return n == auditSweepBatch, err
}
