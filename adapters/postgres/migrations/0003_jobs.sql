-- Jobs: work that was accepted and is done later. Workers take jobs of all
-- schools, so the school is no part of the key.

-- +goose Up

CREATE TABLE jobs (
    id         uuid        PRIMARY KEY,
    school_id  uuid        NOT NULL REFERENCES schools (id),
    kind       text        COLLATE "C" NOT NULL,
    payload    text        NOT NULL,
    state      text        COLLATE "C" NOT NULL,
    attempts   integer     NOT NULL,
    run_at     timestamptz NOT NULL,
    last_error text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
-- A lease that has ended is found as a job that is due, so both are in it.
CREATE INDEX jobs_due ON jobs (kind, run_at, id) WHERE state <> 'dead';

-- +goose Down

DROP TABLE jobs;
