-- Short-lived tokens of people. Only the SHA-256 of a token is stored.

-- +goose Up
CREATE TABLE learner_tokens (
    school_id  uuid        NOT NULL,
    hash       bytea       NOT NULL,
    id         uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, hash),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);
CREATE INDEX learner_tokens_by_person ON learner_tokens (school_id, person_id);
