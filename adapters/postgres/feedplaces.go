package postgres

import (
	"context"

	"lyceum/adapters/postgres/listsql"
)

// feedSpan is how many positions of the feed a row of event_gaps speaks of.
const feedSpan = 4096

// The n-th event stands behind the last span, of those with gaps, by whose end
// fewer than n events have come. From there on positions are dense up to the next
// span with gaps, in which what is left is counted.
const nthEvent = `
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

// seekEvent finds the last event before the page. Events come in the order of
// their positions.
func seekEvent(ctx context.Context, c listsql.Querier, offset int64) (listsql.Edge, error) {
	return listsql.ReadEdge(ctx, c, false, nthEvent, []any{c.School(), offset})
}
