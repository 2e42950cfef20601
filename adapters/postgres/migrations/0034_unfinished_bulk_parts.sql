-- An index for the unfinished parts of a school. The deletion of a person searches their rows.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS bulk_parts_unfinished;
CREATE INDEX CONCURRENTLY bulk_parts_unfinished ON bulk_parts (school_id, id) WHERE finished_at IS NULL;
