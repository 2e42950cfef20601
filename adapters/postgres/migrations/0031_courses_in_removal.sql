-- Lists leave out the records of courses that are being removed, so they look for
-- these courses each time.

-- +goose NO TRANSACTION
-- +goose Up

-- A build that was interrupted leaves an invalid index behind.
DROP INDEX CONCURRENTLY IF EXISTS courses_in_removal;
CREATE INDEX CONCURRENTLY courses_in_removal ON all_courses (school_id, id) WHERE removed_at IS NOT NULL;

-- +goose Down

DROP INDEX CONCURRENTLY IF EXISTS courses_in_removal;
