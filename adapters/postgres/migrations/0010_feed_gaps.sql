-- Where the feed has gaps, so that the event behind any number of others is found
-- without counting them. Positions are dense when they are given; only who
-- removes events makes gaps, so to append costs nothing.

-- +goose Up

-- How many of the positions 4096 * span + 1 to 4096 * (span + 1) that were given
-- have no event any more. Spans that are not here lack none. It refers to nothing,
-- since what it follows from does.
CREATE TABLE event_gaps (
    school_id uuid    NOT NULL,
    span      bigint  NOT NULL,
    missing   integer NOT NULL,
    PRIMARY KEY (school_id, span)
) WITH (fillfactor = 50);

INSERT INTO event_gaps (school_id, span, missing)
SELECT f.school_id, s.span, least(4096, f.position - s.span * 4096) - coalesce(e.events, 0)
FROM event_feeds f
CROSS JOIN LATERAL generate_series(0, (f.position - 1) / 4096) s (span)
LEFT JOIN (
    SELECT school_id, (position - 1) / 4096 AS span, count(*) AS events FROM events GROUP BY 1, 2
) e ON e.school_id = f.school_id AND e.span = s.span
WHERE least(4096, f.position - s.span * 4096) > coalesce(e.events, 0);

-- +goose StatementBegin
-- In one order, lest two who remove events wait for each other.
CREATE FUNCTION events_leave_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_gaps AS g (school_id, span, missing)
    SELECT school_id, (position - 1) / 4096, count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (school_id, span) DO UPDATE SET missing = g.missing + excluded.missing;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER events_leave_gaps AFTER DELETE ON events
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION events_leave_gaps();
CREATE TRIGGER events_still BEFORE UPDATE OF school_id, position ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_move();

-- +goose Down

DROP TRIGGER events_still ON events;
DROP TRIGGER events_leave_gaps ON events;
DROP FUNCTION events_leave_gaps();
DROP TABLE event_gaps;
