-- How requests were answered that their senders may repeat. A row is there from
-- the beginning of its transaction, so that who repeats the request waits for
-- the end; its status is 0 until the answer is known.

-- +goose Up

CREATE TABLE replays (
    school_id    uuid        NOT NULL REFERENCES schools (id),
    id           bytea       NOT NULL,
    fingerprint  bytea       NOT NULL,
    created_at   timestamptz NOT NULL,
    status       integer     NOT NULL DEFAULT 0,
    location     text        NOT NULL DEFAULT '',
    content_type text        NOT NULL DEFAULT '',
    etag         text        NOT NULL DEFAULT '',
    sealed       boolean     NOT NULL DEFAULT false,
    body         bytea       NOT NULL DEFAULT '',
    PRIMARY KEY (school_id, id)
);
CREATE INDEX replays_by_age ON replays (school_id, created_at);

-- +goose Down

DROP TABLE replays;
