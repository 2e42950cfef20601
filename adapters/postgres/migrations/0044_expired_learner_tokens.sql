-- Expired learner tokens are deleted like sessions.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS learner_tokens_by_expiry;
CREATE INDEX CONCURRENTLY learner_tokens_by_expiry ON learner_tokens (expires_at);
