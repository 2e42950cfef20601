-- The change feed, followers and requests that wait for changes look for the next change of a school
-- that is in the feed. Without this index they read all audit events before it, each time.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS changes_in_feed;
CREATE INDEX CONCURRENTLY changes_in_feed ON changes (school_id, position) WHERE in_feed;
