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
		CreatedAt: r.CreatedAt.UTC(), OccurredAt: pgdb.UTC(r.OccurredAt),
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

var eventColumns = listsql.RowColumns[eventRow]()

var eventList = listsql.New(listsql.Definition{
	Table:   "events",
	Columns: eventColumns,
	Key:     []string{"r.position"},
	Attrs: map[string]listsql.Column{
		"uuid":               {Expr: "r.position"},
		"type":               {Expr: "r.kind", Fold: "r.kind"},
		"created_at":         {Expr: "r.created_at"},
		"percentage_watched": listsql.InUnits(listsql.Units{Expr: "r.watched", ToOne: 1_000_000}),
		"occurred_at":        {Expr: "r.occurred_at"},
		"client_id":          {Expr: "r.client_id", Fold: "lower(r.client_id)"}, // ASCII, in the collation C
		"person.id":          {Expr: "r.person_id"},
		"activity.id":        {Expr: "r.activity_id"},
	},
	Sort:    event.Schema.Default(),
	Seek:    seekEvent,
	Removal: listsql.HideRemovedActivities,
}, eventRow.event)

type eventReader = lister[eventRow, event.Event]

var eventTable = newTable("events", []column[event.Event]{
	{"kind", "text", func(e event.Event) any { return e.Kind.String() }},
	{"person_id", "uuid", func(e event.Event) any { return e.Person.UUID }},
	{"activity_id", "uuid", func(e event.Event) any { return e.Activity.UUID }},
	{"watched", "integer", func(e event.Event) any {
		if e.Watched == nil {
			return nil
		}
		return int64(*e.Watched)
	}},
	{"occurred_at", "timestamptz", func(e event.Event) any { return e.OccurredAt }},
	{"client_id", "text", func(e event.Event) any {
		if e.ClientID == "" {
			return nil
		}
		return e.ClientID
	}},
	{"position", "bigint", func(e event.Event) any { return e.Position }},
	{"created_at", "timestamptz", func(e event.Event) any { return e.CreatedAt }},
})

type eventLog struct{ eventReader }

const (
	// appendEvents locks the row of the feed until the end of the transaction, so that the
	// transactions of a school append one after another.
	appendEvents = `
		WITH feed AS (
			INSERT INTO event_feeds AS f (school_id, position, last_at) VALUES ($1, cardinality($2::text[]), $8)
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
			FROM feed CROSS JOIN unnest($2::text[], $3::uuid[], $4::uuid[], $5::integer[], $6::timestamptz[], $7::text[])
				WITH ORDINALITY e (kind, person, activity, watched, occurred_at, client_id, number)
		)
		SELECT before, last_at FROM feed`
	// deleteEventsOf finds the rows by their ctid, so that the plan does not depend on statistics.
	deleteEventsOf = `
		DELETE FROM events WHERE school_id = $1 AND ctid = ANY (ARRAY (
			SELECT ctid FROM events WHERE school_id = $1 AND person_id = $2 ORDER BY created_at, position LIMIT $3 FOR UPDATE
		))`
)

// eventsByClientKeys does not find events of courses in removal. Until such an event is deleted, the
// unique index prevents another event from using its client key.
var eventsByClientKeys = `SELECT ` + eventColumns + ` FROM unnest($2::uuid[], $3::text[]) k (person, id)
	JOIN events r ON r.school_id = $1 AND r.client_id = k.id COLLATE "C" AND r.person_id = k.person AND ` + listsql.HideRemovedActivities.Rows

// Append implements ports.EventLog.
func (r eventLog) Append(ctx context.Context, es []event.Event, now time.Time) ([]event.Event, error) {
	if len(es) == 0 {
		return nil, pgdb.Translate(ctx, ctx.Err())
	}
	var end struct {
		Before int64     `db:"before"`
		LastAt time.Time `db:"last_at"`
	}
	args := append(eventTable.arrays(r.session.SchoolID, es)[:7], now)
	if err := r.session.GetRow(ctx, &end, appendEvents, args...); err != nil {
		// If another transaction has added an event with one of the client keys, a retry finds it.
		return nil, r.session.Race(err, pqerror.UniqueViolation, pgdb.Unavailable(err))
	}
	added := make([]event.Event, len(es))
	for i, e := range es {
		e.Position, e.CreatedAt = end.Before+int64(i)+1, end.LastAt.UTC()
		if e.Watched != nil {
			w := *e.Watched
			e.Watched = &w
		}
		e.OccurredAt = pgdb.UTC(e.OccurredAt)
		added[i] = e
	}
	return added, nil
}

// ByClientKeys implements ports.EventLog.
func (r eventLog) ByClientKeys(ctx context.Context, keys []event.ClientKey) (map[event.ClientKey]event.Event, error) {
	people, ids := make([]person.ID, 0, len(keys)), make([]string, 0, len(keys))
	for _, k := range keys {
		if isStorable(k.ID) {
			people, ids = append(people, k.Person), append(ids, k.ID)
		}
	}
	return getMap(ctx, r.session, 0, eventRow.event, event.Event.ClientKey, eventsByClientKeys,
		r.session.SchoolID, idArray(people), pq.Array(ids))
}

// DeleteByPerson implements ports.EventLog.
func (r eventLog) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	return r.session.Exec(ctx, deleteEventsOf, r.session.SchoolID, p.UUID, limit)
}

// eventAtRank selects the sort keys of the n-th event of the feed ($2 is n). A gap is a position
// without an event. For each span of derived.GapSpan positions, the table event_gaps contains the
// number of gaps, except for spans without gaps. eventAtRank finds the last span with gaps up to
// whose end the feed has fewer than n events. After this span, positions have no gaps until the
// next span with gaps, in which the remaining events are counted.
const eventAtRank = `
	WITH gaps AS MATERIALIZED (
		SELECT span, sum(missing) OVER (ORDER BY span)::bigint AS gone FROM event_gaps WHERE school_id = $1
	),
	passed AS MATERIALIZED (
		SELECT coalesce(max((span + 1) * 4096), 0) AS position,
			coalesce(max((span + 1) * 4096 - gone), 0) AS events
		FROM gaps WHERE (span + 1) * 4096 - gone < $2::bigint
	),
	begin AS MATERIALIZED (
		SELECT position, events, least(position + $2::bigint - events - 1,
			(SELECT min(span) * 4096 FROM gaps WHERE span * 4096 >= position)) AS start
		FROM passed
	)
	SELECT r.created_at::text, r.position::text FROM events r
	WHERE r.school_id = $1 AND r.position > (SELECT start FROM begin)
	ORDER BY r.position LIMIT 1 OFFSET (SELECT $2::bigint - events - 1 - (start - position) FROM begin)`

// seekEvent returns the last event before the page. The list must be in the order of positions.
func seekEvent(ctx context.Context, c listsql.Querier, offset int64) (listsql.Edge, error) {
	return listsql.ReadEdge(ctx, c, false, eventAtRank, []any{c.School(), offset})
}
