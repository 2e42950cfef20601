package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/domain/idempotency"
	"lyceum/ports"
)

// day is the unit of the times in Config that are counted in days.
const day = 24 * time.Hour

// checkDays limits the days to a century, which a time.Duration can contain.
func (c Config) checkDays(setting string, days int) error {
	if days < 0 || days > 36500 {
		return fmt.Errorf("%s: must be between 0 and 36500", setting)
	}
	return nil
}

// checkReplays requires at least the time that the API promises.
func (c Config) checkReplays() error {
	if c.ReplayHours < int(idempotency.Retention/time.Hour) || c.ReplayHours > 8760 {
		return errors.New("idempotency.retention-hours: must be between 24 and 8760")
	}
	return nil
}

// AuditRetention returns how long the audit trail keeps an event, for the days in
// Config.AuditDays and Config.ChangeDays; 0: forever.
func AuditRetention(auditDays, changeDays int) time.Duration {
	if auditDays == 0 || changeDays == 0 {
		return 0
	}
	return time.Duration(max(auditDays, changeDays)) * day
}

// expirations returns the worker.Work that deletes expired records: recorded responses, deliveries,
// changes, audit events, webhook deliveries, bulk jobs, dead jobs, sessions, sign-in links,
// learner tokens and incomplete files. It has no jobs, so its workers poll.
func expirations(a *app.App) worker.Work {
	sweeps := []func(context.Context) (more bool, err error){
		a.Idempotency.Sweep, a.InvitationDelivery.Sweep, a.Changes.Sweep, a.Audit.Sweep, a.Webhooks.Sweep, a.Bulk.Sweep, a.Jobs.Sweep,
		a.SignIns.Sweep, a.FileCleanup.Sweep,
	}
	return worker.Work{Kind: "sweep", Next: func(ctx context.Context) (more bool, failed error) {
		for _, sweep := range sweeps { // one that fails does not prevent the others
			further, err := sweep(ctx)
			if errors.Is(err, ports.ErrNotPermitted) { // the operator runs lyceum audit expire
				err = nil
			}
			more, failed = more || further, errors.Join(failed, err)
		}
		return more && failed == nil, failed
	}}
}
