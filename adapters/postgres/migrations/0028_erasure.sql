-- What is needed to erase a person: which people a recorded response mentions,
-- and what is left to do about them.

-- +goose NO TRANSACTION
-- +goose Up

-- The default is for programs that do not know the column yet, and for responses
-- that were recorded before: those expire within a day.
ALTER TABLE replays ADD COLUMN IF NOT EXISTS mentions uuid[] NOT NULL DEFAULT '{}';

-- A build that was interrupted leaves an invalid index behind.
DROP INDEX CONCURRENTLY IF EXISTS replays_by_mention;
CREATE INDEX CONCURRENTLY replays_by_mention ON replays USING gin (mentions);
DROP INDEX CONCURRENTLY IF EXISTS replays_by_time;
CREATE INDEX CONCURRENTLY replays_by_time ON replays (created_at);
DROP INDEX CONCURRENTLY IF EXISTS jobs_by_payload;
CREATE INDEX CONCURRENTLY jobs_by_payload ON jobs (kind, payload);

-- +goose Down

DROP INDEX CONCURRENTLY IF EXISTS jobs_by_payload;
DROP INDEX CONCURRENTLY IF EXISTS replays_by_time;
DROP INDEX CONCURRENTLY IF EXISTS replays_by_mention;
ALTER TABLE replays DROP COLUMN IF EXISTS mentions;
