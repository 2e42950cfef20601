-- What a client says of an event: when it took place, and an id by which a repeat
-- is told.

-- +goose Up

ALTER TABLE events
    ADD COLUMN occurred_at timestamptz,
    ADD COLUMN client_id   text COLLATE "C"; -- visible ASCII
CREATE UNIQUE INDEX events_client_id_key ON events (school_id, client_id) WHERE client_id IS NOT NULL;

-- +goose Down

DROP INDEX events_client_id_key;
ALTER TABLE events DROP COLUMN occurred_at, DROP COLUMN client_id;
