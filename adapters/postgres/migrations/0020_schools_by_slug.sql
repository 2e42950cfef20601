-- Slugs are unique across all schools.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS schools_by_slug;
CREATE UNIQUE INDEX CONCURRENTLY schools_by_slug ON schools (slug);
