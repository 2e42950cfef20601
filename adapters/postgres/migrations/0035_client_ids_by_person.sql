-- Client IDs of events are unique among the events of a person instead of a school, so that a learner
-- cannot use the client IDs of other learners. The index also finds the events with a client ID.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS events_client_key;
CREATE UNIQUE INDEX CONCURRENTLY events_client_key ON events (school_id, client_id, person_id) WHERE client_id IS NOT NULL;
