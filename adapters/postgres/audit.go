package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.AuditReader = auditReader{}
	_ ports.AuditLog    = auditLog{}
)

type auditRow struct {
	changeRow
	ActorType *string    `db:"actor_type"`
	ActorID   *uuid.UUID `db:"actor_id"`
	Person    *uuid.UUID `db:"person_id"`
	Request   *string    `db:"request_id"`
	Address   *string    `db:"address"`
}

func (r auditRow) event() (audit.Event, error) {
	return audit.Event{
		Position: r.Position, Action: audit.Action(r.Action), Record: change.Record{Type: r.Kind, ID: r.Record}, At: r.At.UTC(),
		Origin: audit.Origin{
			Actor: audit.Actor{
				Type: audit.ActorType(orZero(r.ActorType)), ID: orZero(r.ActorID), Person: person.ID{UUID: orZero(r.Person)},
			},
			Request: orZero(r.Request), Address: orZero(r.Address),
		},
	}, nil
}

// orZero returns the value that p points to; zero for nil.
func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

const actorType = "coalesce(r.actor_type, '" + audit.UnknownName + "')"

var auditList = listsql.New(listsql.Definition{
	Table:   "changes",
	Columns: listsql.RowColumns[auditRow](),
	Key:     []string{"r.position"},
	Attrs: map[string]listsql.Column{
		"uuid":        {Expr: "r.position"},
		"action":      {Expr: "r.action", Fold: "r.action"},
		"occurred_at": {Expr: "r.changed_at"},
		"actor_type":  listsql.PlainText(actorType),
		"request_id":  listsql.PlainText("r.request_id"),
		"address":     listsql.PlainText("r.address"),
		"record_type": {Expr: "r.kind", Fold: "r.kind"},
		"record_id":   {Expr: "r.record_id"},
		"actor_id":    {Expr: "r.actor_id"},
		"person_id":   {Expr: "r.person_id"},
	},
	Sort: audit.Schema.Default(),
}, auditRow.event)

const (
	recordAudit    = `SELECT record_audit($1, $2, $3, $4)`
	setOrigin      = `SELECT set_config('` + pgdb.OriginSetting + `', $1, true)`
	eraseAddresses = `SELECT erase_addresses($1, $2, $3)`

	deleteExpiredAuditEvents = `
		WITH old AS (
			SELECT c.school_id, c.position FROM schools s CROSS JOIN LATERAL (
				SELECT c.school_id, c.position FROM changes c
				WHERE c.school_id = s.id AND c.changed_at < $1 ORDER BY c.changed_at, c.position LIMIT $2
			) c LIMIT $2
		),
		gone AS (
			DELETE FROM changes c USING old o WHERE c.school_id = o.school_id AND c.position = o.position
			RETURNING c.school_id, c.position
		),
		moved AS (
			INSERT INTO change_feeds AS f (school_id, start)
			SELECT school_id, max(position) FROM gone GROUP BY school_id ORDER BY school_id
			ON CONFLICT (school_id) DO UPDATE SET start = greatest(f.start, excluded.start)
		)
		SELECT count(*) FROM gone`
)

type auditReader struct{ *session }

// Page implements ports.AuditReader. Events become readable in the order of their positions, like
// changes.
func (r auditReader) Page(ctx context.Context, q query.Query) (query.Result[audit.Event], error) {
	var last int64
	if err := r.GetRow(ctx, &last, readableChanges, r.SchoolID); err != nil {
		return query.Result[audit.Event]{}, err
	}
	return auditList.Page(ctx, r.session, q.And(query.Cond{
		Attr: audit.Schema.Attr("uuid"), Op: query.Lteq, Values: []query.Value{{Int: last}},
	}))
}

type auditLog struct{ *session }

// Add implements ports.AuditLog.
func (r auditLog) Add(ctx context.Context, action audit.Action, record change.Record) error {
	_, err := r.Exec(ctx, recordAudit, r.SchoolID, record.Type, record.ID, string(action))
	return err
}

// SetOrigin implements ports.AuditLog.
func (r auditLog) SetOrigin(ctx context.Context, o audit.Origin) error {
	_, err := r.Exec(ctx, setOrigin, pgdb.OriginValue(ports.WithOrigin(ctx, o)))
	return err
}

// EraseAddresses implements ports.AuditLog.
func (r auditLog) EraseAddresses(ctx context.Context, p person.ID, limit int) (n int, err error) {
	err = r.GetRow(ctx, &n, eraseAddresses, r.SchoolID, p.UUID, limit)
	return n, err
}

// DeleteExpiredAuditEvents implements ports.Schools.
func (r schools) DeleteExpiredAuditEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	var n int
	err := r.GetRow(ctx, &n, deleteExpiredAuditEvents, before, limit)
	if pq.As(err, pqerror.InsufficientPrivilege) != nil {
		err = ports.ErrNotPermitted
	}
	return n, err
}
