-- The invitation emails of each school: how many in a day, and the last one for each
-- address, so that limits outlive the people. An address is a hash.

-- +goose Up

CREATE TABLE invitation_days (
    school_id  uuid        PRIMARY KEY REFERENCES schools (id),
    started_at timestamptz NOT NULL,
    messages   integer     NOT NULL
);

CREATE TABLE invitation_deliveries (
    school_id uuid        NOT NULL REFERENCES schools (id),
    address   bytea       NOT NULL,
    letter_id uuid        NOT NULL,
    sent_at   timestamptz NOT NULL,
    PRIMARY KEY (school_id, address)
);
CREATE INDEX invitation_deliveries_by_time ON invitation_deliveries (sent_at);

-- +goose Down

DROP TABLE invitation_deliveries;
DROP TABLE invitation_days;
