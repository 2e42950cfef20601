-- The event feed.

-- +goose Up

-- The end of a school's feed. A transaction that appends events updates this row, so the next such
-- transaction waits for the commit: events become visible in the order of their positions.
CREATE TABLE event_feeds (
    school_id uuid        PRIMARY KEY REFERENCES schools (id),
    position  bigint      NOT NULL,
    last_at   timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The client reports occurred_at, the time of the event, and client_id, which identifies a
-- repeated report.
CREATE TABLE events (
    school_id   uuid        NOT NULL,
    position    bigint      NOT NULL,
    kind        text        COLLATE "C" NOT NULL,
    person_id   uuid        NOT NULL,
    activity_id uuid        NOT NULL,
    watched     integer,                -- in millionths
    occurred_at timestamptz,
    client_id   text        COLLATE "C", -- visible ASCII
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (school_id, position),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id)
);
CREATE UNIQUE INDEX events_client_id_key ON events (school_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX events_by_creation ON events (school_id, created_at, position);
CREATE INDEX events_by_person ON events (school_id, person_id, created_at, position);
CREATE INDEX events_by_activity ON events (school_id, activity_id, created_at, position);
-- For filters that match few rows.
CREATE INDEX events_by_watched ON events (school_id, watched) WHERE watched IS NOT NULL;
CREATE INDEX events_by_occurrence ON events (school_id, occurred_at) WHERE occurred_at IS NOT NULL;

-- The number of positions from 4096 * span + 1 to 4096 * (span + 1) whose events have been deleted,
-- so that the n-th event is found without counting. A span without a row has no gap. Positions are
-- assigned without gaps and only deletions create gaps, so appending costs nothing. The table has
-- no foreign keys, because its source table has them.
CREATE TABLE event_gaps (
    school_id uuid    NOT NULL,
    span      bigint  NOT NULL,
    missing   integer NOT NULL,
    PRIMARY KEY (school_id, span)
) WITH (fillfactor = 50);

-- +goose StatementBegin
-- Counts deleted events by span, in the order of the spans, so that two deletions cannot deadlock.
CREATE FUNCTION count_event_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_gaps AS g (school_id, span, missing)
    SELECT school_id, (position - 1) / 4096, count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (school_id, span) DO UPDATE SET missing = g.missing + excluded.missing;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER delete_1_gaps AFTER DELETE ON events
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_event_gaps();
CREATE TRIGGER refuse_update BEFORE UPDATE OF school_id, position ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();
