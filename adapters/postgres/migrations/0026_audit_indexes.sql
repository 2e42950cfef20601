-- Indexes for the audit events of one actor, and of one learner.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS changes_by_actor;
CREATE INDEX CONCURRENTLY changes_by_actor ON changes (school_id, actor_id, position);
DROP INDEX CONCURRENTLY IF EXISTS changes_by_person;
CREATE INDEX CONCURRENTLY changes_by_person ON changes (school_id, person_id, position) WHERE person_id IS NOT NULL;
