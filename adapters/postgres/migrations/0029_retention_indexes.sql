-- Indexes for the deletion of old bulk jobs and of old dead jobs of all schools.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS bulk_jobs_by_age;
CREATE INDEX CONCURRENTLY bulk_jobs_by_age ON bulk_jobs (created_at);
DROP INDEX CONCURRENTLY IF EXISTS jobs_dead;
CREATE INDEX CONCURRENTLY jobs_dead ON jobs (kind, updated_at) WHERE state = 'dead';
