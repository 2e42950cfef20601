-- An index for the failed jobs of a school, which the teaching app shows.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS jobs_dead_by_school;
CREATE INDEX CONCURRENTLY jobs_dead_by_school ON jobs (school_id, updated_at, id) WHERE state = 'dead';
