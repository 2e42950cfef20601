-- Sessions of people.

-- +goose Up
CREATE TABLE sessions (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    hash       bytea       NOT NULL,
    person_id  uuid        NOT NULL,
    device     text        NOT NULL,
    created_at timestamptz NOT NULL,
    used_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT sessions_hash_key UNIQUE (school_id, hash),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);
CREATE INDEX sessions_by_person ON sessions (school_id, person_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at); -- to delete expired sessions of all schools
