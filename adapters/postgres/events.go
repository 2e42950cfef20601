package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.EventLog = eventLog{}

type eventRow struct {
	Position   int64      `db:"position"`
	Kind       string     `db:"kind"`
	Person     uuid.UUID  `db:"person_id"`
	Activity   uuid.UUID  `db:"activity_id"`
	Watched    *int64     `db:"watched"`
	CreatedAt  time.Time  `db:"created_at"`
	OccurredAt *time.Time `db:"occurred_at"`
	ClientID   *string    `db:"client_id"`
}

func (r eventRow) event() (event.Event, error) {
	kind, err := event.ParseKind(r.Kind)
	if err != nil {
		return event.Event{}, fmt.Errorf("postgres: read from events: position %d: %v", r.Position, err) //lint:ignore errorlint not the client's fault
	}
	e := event.Event{
		Position: r.Position, Kind: kind, Person: person.ID{UUID: r.Person}, Activity: activity.ID{UUID: r.Activity},
		CreatedAt: r.CreatedAt.UTC(), OccurredAt: pgdb.Utc(r.OccurredAt),
	}
	if r.ClientID != nil {
		e.ClientID = *r.ClientID
	}
	if r.Watched != nil {
		f := event.Fraction(*r.Watched)
		e.Watched = &f
	}
	return e, nil
}

const eventColumns = `r.position, r.kind, r.person_id, r.activity_id, r.watched, r.created_at, r.occurred_at, r.client_id`

var eventList = listsql.List[eventRow, event.Event]{
	Table:   "events",
	Columns: eventColumns,
	Key:     []string{"r.position"},
	Attrs: map[string]listsql.Column{
		"uuid":               {Expr: "r.position"},
		"type":               {Expr: "r.kind", Fold: "r.kind"},
		"created_at":         {Expr: "r.created_at"},
		"percentage_watched": listsql.InUnits(listsql.Units{Expr: "r.watched", ToOne: 1_000_000}),
		"occurred_at":        {Expr: "r.occurred_at"},
		"client_id":          {Expr: "r.client_id", Fold: "lower(r.client_id)"}, // of ASCII, in the collation C
		"person.id":          {Expr: "r.person_id"},
		"activity.id":        {Expr: "r.activity_id"},
	},
	Sort:    event.Schema.Default(),
	Seek:    seekEvent,
	Convert: eventRow.event,
	Removal: ofRemovedActivity,
}

type eventReader struct{ *session }

// List returns a page of the feed.
func (c eventReader) List(ctx context.Context, q query.Query) (query.Result[event.Event], error) {
	return eventList.Page(ctx, c.session, q)
}

type eventLog struct{ eventReader }

const (
	// The row of the feed stays locked until the end of the transaction.
	appendEvents = `
		WITH feed AS (
			INSERT INTO event_feeds AS f (school_id, position, last_at) VALUES ($1, cardinality($2::text[]), $6)
			ON CONFLICT (school_id) DO UPDATE SET
				position = f.position + excluded.position,
				last_at = greatest(excluded.last_at, f.last_at + interval '1 millisecond')
			RETURNING position - cardinality($2::text[]) AS before, last_at
		),
		added AS (
			INSERT INTO events (school_id, position, kind, person_id, activity_id, watched, created_at,
				occurred_at, client_id)
			SELECT $1, feed.before + e.number, e.kind, e.person, e.activity, e.watched, feed.last_at,
				e.occurred_at, e.client_id
			FROM feed CROSS JOIN unnest($2::text[], $3::uuid[], $4::uuid[], $5::integer[], $7::timestamptz[], $8::text[])
				WITH ORDINALITY e (kind, person, activity, watched, occurred_at, client_id, number)
		)
		SELECT before, last_at FROM feed`
	removeEventsOf = `DELETE FROM events WHERE school_id = $1 AND person_id = $2`
)

// An id that is not found because its event belongs to a course in removal cannot be
// given to another event before the removal has reached that one.
var eventsByClientIDs = `SELECT ` + eventColumns + ` FROM unnest($2::text[]) k
	JOIN events r ON r.school_id = $1 AND r.client_id = k COLLATE "C" AND ` + ofRemovedActivity.Rows

// Append adds events to the end of the feed.
func (c eventLog) Append(ctx context.Context, es []event.Event, now time.Time) ([]event.Event, error) {
	if len(es) == 0 {
		return nil, pgdb.Translate(ctx, ctx.Err())
	}
	n := len(es)
	kinds, people, activities, watched := make([]string, n), make([]string, n), make([]string, n), make([]*int64, n)
	occurred, clients := make([]*string, n), make([]*string, n)
	for i, e := range es {
		kinds[i], people[i], activities[i] = e.Kind.String(), e.Person.String(), e.Activity.String()
		if e.Watched != nil {
			w := int64(*e.Watched)
			watched[i] = &w
		}
		if occurred[i] = pgdb.OptionalInstant(e.OccurredAt); e.ClientID != "" {
			clients[i] = &e.ClientID
		}
	}
	var end struct {
		Before int64     `db:"before"`
		LastAt time.Time `db:"last_at"`
	}
	err := c.GetRow(ctx, &end, appendEvents, c.SchoolID, pq.Array(kinds), pq.Array(people), pq.Array(activities),
		pq.Array(watched), now, pq.Array(occurred), pq.Array(clients))
	if err != nil { // somebody has appended one of the clients' ids meanwhile: now it would be found
		return nil, c.Race(err, pqerror.UniqueViolation, pgdb.Unavailable(err))
	}
	added := make([]event.Event, n)
	for i, e := range es {
		e.Position, e.CreatedAt = end.Before+int64(i)+1, end.LastAt.UTC()
		if e.Watched != nil {
			w := *e.Watched
			e.Watched = &w
		}
		e.OccurredAt = pgdb.Utc(e.OccurredAt)
		added[i] = e
	}
	return added, nil
}

// ByClientIDs returns the events that have these client ids.
func (c eventLog) ByClientIDs(ctx context.Context, ids []string) (map[string]event.Event, error) {
	var rows []eventRow
	if err := c.SelectRows(ctx, &rows, eventsByClientIDs, c.SchoolID, pq.Array(readable(ids))); err != nil {
		return nil, err
	}
	found := make(map[string]event.Event, len(rows))
	for _, r := range rows {
		e, err := r.event()
		if err != nil {
			return nil, err
		}
		found[e.ClientID] = e
	}
	return found, nil
}

// RemoveOfPerson forgets all events of a person.
func (c eventLog) RemoveOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.Exec(ctx, removeEventsOf, c.SchoolID, p.UUID)
	return err
}
