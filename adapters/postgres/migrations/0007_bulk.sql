-- Bulk jobs and their parts.

-- +goose Up

CREATE TABLE bulk_jobs (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    kind       text        COLLATE "C" NOT NULL,
    rows_total integer     NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id)
);

-- What has come of a job is the sum of its parts: who finishes one writes to
-- nothing that others write to.
CREATE TABLE bulk_parts (
    school_id   uuid        NOT NULL,
    id          uuid        NOT NULL,
    job_id      uuid        NOT NULL,
    number      integer     NOT NULL, -- from 0, in the order of the rows
    rows        text,                 -- JSON; null once the part is finished
    rows_done   integer     NOT NULL DEFAULT 0,
    rows_failed integer     NOT NULL DEFAULT 0,
    errors      text,                 -- JSON; null when there are none
    finished_at timestamptz,
    PRIMARY KEY (school_id, id),
    CONSTRAINT bulk_parts_number_key UNIQUE (school_id, job_id, number),
    FOREIGN KEY (school_id, job_id) REFERENCES bulk_jobs (school_id, id)
);

-- +goose Down

-- Nobody could do these jobs any more.
DELETE FROM jobs WHERE kind = 'bulk';
DROP TABLE bulk_parts, bulk_jobs;
