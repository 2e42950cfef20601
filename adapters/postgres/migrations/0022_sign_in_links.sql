-- One-time links with which people sign in.

-- +goose Up
-- The hash is null until the link is sent. The address is invitation.HashAddress of the email.
CREATE TABLE sign_in_links (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    address    bytea       NOT NULL,
    email      text        NOT NULL,
    hash       bytea,
    return_to  text        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    PRIMARY KEY (school_id, id),
    CONSTRAINT sign_in_links_hash_key UNIQUE (school_id, hash)
);
CREATE INDEX sign_in_links_by_address ON sign_in_links (school_id, address, created_at);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at); -- to delete expired links of all schools
