-- The due jobs of each school, so that workers take the schools in turn without
-- reading the jobs of the others.

-- +goose NO TRANSACTION
-- +goose Up

-- A build that was interrupted leaves an invalid index behind.
DROP INDEX CONCURRENTLY IF EXISTS jobs_due_by_school;
CREATE INDEX CONCURRENTLY jobs_due_by_school ON jobs (kind, school_id, run_at, id) WHERE state <> 'dead';

-- +goose Down

DROP INDEX CONCURRENTLY IF EXISTS jobs_due_by_school;
