package derived

import (
	"fmt"
	"strconv"

	"lyceum/domain/reconcile"
)

// GapSpan is the number of positions in a span: the positions that a row of event_gaps covers.
const GapSpan = 4096

// The gaps of a span of positions (see GapSpan) are its assigned positions minus its existing
// events. A deletion of events changes the stored gaps in the same transaction.
const recountFeed = `
	WITH fact AS (
		SELECT s.span, least(4096, f.position - s.span * 4096) - coalesce(e.events, 0) AS missing
		FROM event_feeds f
		CROSS JOIN LATERAL generate_series(0, (f.position - 1) / 4096) s (span)
		LEFT JOIN (
			SELECT (position - 1) / 4096 AS span, count(*) AS events FROM events WHERE school_id = $1 GROUP BY 1
		) e ON e.span = s.span
		WHERE f.school_id = $1
	),
	wrong AS MATERIALIZED (
		SELECT span, coalesce(g.missing, 0) AS stored, coalesce(f.missing, 0) AS fact
		FROM fact f FULL JOIN (SELECT span, missing FROM event_gaps WHERE school_id = $1) g USING (span)
		WHERE coalesce(g.missing, 0) <> coalesce(f.missing, 0)
	),
	fixed AS (
		INSERT INTO event_gaps AS g (school_id, span, missing)
		SELECT $1, span, fact - stored FROM wrong ORDER BY span
		ON CONFLICT (school_id, span) DO UPDATE SET missing = g.missing + excluded.missing
	)
	SELECT span, stored, fact FROM wrong ORDER BY span`

type gapRow struct {
	Span   int64 `db:"span"`
	Stored int64 `db:"stored"`
	Fact   int64 `db:"fact"`
}

func (r gapRow) discrepancy() reconcile.Discrepancy {
	return reconcile.Discrepancy{
		Record: fmt.Sprintf("events %d to %d", r.Span*GapSpan+1, (r.Span+1)*GapSpan), Value: "missing",
		Stored: strconv.FormatInt(r.Stored, 10), Expected: strconv.FormatInt(r.Fact, 10),
	}
}
