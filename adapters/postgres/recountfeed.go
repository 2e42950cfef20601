package postgres

import (
	"context"
	"fmt"
	"strconv"

	"lyceum/domain/ledger"
)

// What the feed lacks is what was given less what is there; who removes events
// changes both alike.
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
	mended AS (
		INSERT INTO event_gaps AS g (school_id, span, missing)
		SELECT $1, span, fact - stored FROM wrong ORDER BY span
		ON CONFLICT (school_id, span) DO UPDATE SET missing = g.missing + excluded.missing
	)
	SELECT span, stored, fact FROM wrong ORDER BY span`

// recountFeed sets right how many events each span of the feed lacks.
func (c ledgerRepo) recountFeed(ctx context.Context) ([]ledger.Difference, error) {
	var rows []struct {
		Span   int64 `db:"span"`
		Stored int64 `db:"stored"`
		Fact   int64 `db:"fact"`
	}
	if err := c.SelectRows(ctx, &rows, recountFeed, c.SchoolID); err != nil {
		return nil, err
	}
	wrong := make([]ledger.Difference, len(rows))
	for i, r := range rows {
		wrong[i] = ledger.Difference{
			Record: fmt.Sprintf("events %d to %d", r.Span*feedSpan+1, (r.Span+1)*feedSpan), Value: "missing",
			Stored: strconv.FormatInt(r.Stored, 10), Right: strconv.FormatInt(r.Fact, 10),
		}
	}
	return wrong, nil
}
