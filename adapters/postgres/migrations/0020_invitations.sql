-- Invitations and the links that open them. The token of a link is kept as its
-- SHA-256 alone; it is found without a school, so its index names none.

-- +goose Up

CREATE TABLE invitations (
    school_id uuid        NOT NULL,
    person_id uuid        NOT NULL,
    letter_id uuid        NOT NULL,
    asked_at  timestamptz NOT NULL,
    PRIMARY KEY (school_id, person_id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);

CREATE TABLE invitation_links (
    school_id  uuid        NOT NULL,
    hash       bytea       NOT NULL,
    person_id  uuid        NOT NULL,
    letter_id  uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, hash),
    FOREIGN KEY (school_id, person_id) REFERENCES invitations (school_id, person_id)
);
CREATE UNIQUE INDEX invitation_links_by_hash ON invitation_links (hash);
CREATE INDEX invitation_links_by_person ON invitation_links (school_id, person_id);

-- +goose Down

DROP TABLE invitation_links, invitations;
