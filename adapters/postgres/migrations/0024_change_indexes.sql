-- Indexes for the changes of one type of records and of one record. IDs of records are random. A
-- hash index writes a quarter of the bytes that a B-tree would write for them.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS changes_by_kind;
CREATE INDEX CONCURRENTLY changes_by_kind ON changes (school_id, kind, position);
DROP INDEX CONCURRENTLY IF EXISTS changes_by_record;
CREATE INDEX CONCURRENTLY changes_by_record ON changes USING hash (record_id);
