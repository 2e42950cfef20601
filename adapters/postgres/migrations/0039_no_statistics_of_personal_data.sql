-- The planner keeps values of a column in its statistics, also after their rows were deleted. No plan
-- depends on the statistics of these columns, which contain personal data. Some depend on those of
-- people. Each statement is a
-- transaction, so that none waits for a table while it holds the lock of another.

-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE bulk_parts
    ALTER COLUMN rows SET STATISTICS 0, ALTER COLUMN errors SET STATISTICS 0;
ALTER TABLE changes
    ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE events
    ALTER COLUMN client_id SET STATISTICS 0;
ALTER TABLE jobs
    ALTER COLUMN payload SET STATISTICS 0, ALTER COLUMN last_error SET STATISTICS 0;
ALTER TABLE quiz_answers
    ALTER COLUMN response SET STATISTICS 0, ALTER COLUMN response_fold SET STATISTICS 0;
ALTER TABLE recorded_responses
    ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN location SET STATISTICS 0;
ALTER TABLE sessions
    ALTER COLUMN device SET STATISTICS 0;
ALTER TABLE sign_in_links
    ALTER COLUMN email SET STATISTICS 0, ALTER COLUMN return_to SET STATISTICS 0;
ALTER TABLE submissions
    ALTER COLUMN file_name SET STATISTICS 0;
ALTER TABLE webhook_deliveries
    ALTER COLUMN last_error SET STATISTICS 0;
