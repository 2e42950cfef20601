-- +goose NO TRANSACTION

-- The indexes of properties. A filter by equality becomes a containment (@>). One index for each
-- table serves all properties of all schools; its first column is the school (ADR 33).

-- +goose Up
CREATE EXTENSION IF NOT EXISTS btree_gin;
DROP INDEX CONCURRENTLY IF EXISTS people_by_properties;
CREATE INDEX CONCURRENTLY people_by_properties ON people USING gin (school_id, properties jsonb_path_ops)
    WHERE properties IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS courses_by_properties;
CREATE INDEX CONCURRENTLY courses_by_properties ON all_courses USING gin (school_id, properties jsonb_path_ops)
    WHERE properties IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS groups_by_properties;
CREATE INDEX CONCURRENTLY groups_by_properties ON groups USING gin (school_id, properties jsonb_path_ops)
    WHERE properties IS NOT NULL;
