-- Client IDs of events are no longer unique in the school. The file is separate from the previous one,
-- so that a repeated attempt never leaves the events without a unique index.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS events_client_id_key;
