-- Schools, their API keys, the responses recorded for repeated requests, and
-- background jobs.
--
-- For all tables:
--   - school_id is the first column of every key, and every foreign key includes
--     it, so that a row of one school cannot refer to a row of another.
--   - No foreign key deletes rows: the store deletes them one table at a time.
--   - A *_fold column is text.Fold of the column without the suffix, a *_key
--     column text.UniqueKey. Both are computed in Go and compared byte by byte
--     (COLLATE "C"). Permalinks and tokens are lowercase ASCII, so they are
--     their own fold.
--   - A table of rows that are often updated has a fillfactor, so that an update
--     finds space in the same page and changes no index.

-- +goose Up

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE schools (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL,
    name_fold  text        COLLATE "C" NOT NULL,
    auth       text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

-- A key is looked up by its hash before the school is known.
CREATE TABLE api_keys (
    id         uuid        PRIMARY KEY,
    school_id  uuid        NOT NULL REFERENCES schools (id),
    name       text        NOT NULL,
    hash       bytea       NOT NULL UNIQUE,
    prefix     text        NOT NULL,
    scope      text        COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    last_used  timestamptz,
    revoked_at timestamptz
);
CREATE INDEX api_keys_by_school ON api_keys (school_id, created_at, id);

-- The responses to requests with an idempotency key. The transaction of a request inserts
-- its row first, so that a repeated request waits for the end of that transaction. The
-- status is 0 until the response is known.
CREATE TABLE recorded_responses (
    school_id    uuid        NOT NULL REFERENCES schools (id),
    id           bytea       NOT NULL,
    fingerprint  bytea       NOT NULL,
    created_at   timestamptz NOT NULL,
    status       integer     NOT NULL DEFAULT 0,
    location     text        NOT NULL DEFAULT '',
    content_type text        NOT NULL DEFAULT '',
    etag         text        NOT NULL DEFAULT '',
    body         bytea       NOT NULL DEFAULT '',
    mentions     uuid[]      NOT NULL DEFAULT '{}', -- IDs in the response, to find the responses about a person
    PRIMARY KEY (school_id, id)
);
CREATE INDEX recorded_responses_by_age ON recorded_responses (school_id, created_at);
CREATE INDEX recorded_responses_by_time ON recorded_responses (created_at); -- to delete old responses of all schools
CREATE INDEX recorded_responses_by_mention ON recorded_responses USING gin (mentions);

-- Workers take the jobs of all schools, so the key does not include the school. leased_by is the
-- name of the server that holds the lease, and leased_in the ID of its process. After a crash, the
-- next process with that name releases the lease immediately. Both are null if the lease can only
-- expire.
CREATE TABLE jobs (
    id         uuid        PRIMARY KEY,
    school_id  uuid        NOT NULL REFERENCES schools (id),
    kind       text        COLLATE "C" NOT NULL,
    payload    text        NOT NULL,
    state      text        COLLATE "C" NOT NULL,
    attempts   integer     NOT NULL,
    run_at     timestamptz NOT NULL,
    last_error text        NOT NULL,
    leased_by  text,
    leased_in  uuid,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
-- An expired lease counts as due, so the index contains leased jobs too.
CREATE INDEX jobs_due ON jobs (kind, run_at, id) WHERE state <> 'dead';
-- Schools take turns, so a worker looks up the due jobs of a single school.
CREATE INDEX jobs_due_by_school ON jobs (kind, school_id, run_at, id) WHERE state <> 'dead';
CREATE INDEX jobs_by_payload ON jobs (kind, payload); -- to delete the jobs of an erased person

CREATE TABLE bulk_jobs (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    kind       text        COLLATE "C" NOT NULL,
    rows_total integer     NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id)
);

-- The outcome of a bulk job is the sum over its parts, so that workers that finish parts of
-- one job update different rows. first_row and row_count duplicate the row numbers, so that
-- a part whose rows cannot be decoded fails with the correct numbers.
CREATE TABLE bulk_parts (
    school_id   uuid        NOT NULL,
    id          uuid        NOT NULL,
    job_id      uuid        NOT NULL,
    number      integer     NOT NULL, -- from 0, in the order of the rows
    first_row   integer     NOT NULL DEFAULT 0,
    row_count   integer     NOT NULL DEFAULT 0,
    rows        text,                 -- JSON; null once the part is finished
    rows_done   integer     NOT NULL DEFAULT 0,
    rows_failed integer     NOT NULL DEFAULT 0,
    errors      text,                 -- JSON; null when there are none
    finished_at timestamptz,
    PRIMARY KEY (school_id, id),
    CONSTRAINT bulk_parts_number_key UNIQUE (school_id, job_id, number),
    FOREIGN KEY (school_id, job_id) REFERENCES bulk_jobs (school_id, id)
);
