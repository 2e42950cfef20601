-- The planner keeps values of a column in its statistics, also after their rows were deleted: texts
-- that a school has written, tokens of enrollment links and encrypted secrets. No plan depends on
-- these columns. The token of a link is looked up by a unique index.

-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE all_courses
    ALTER COLUMN enroll_token SET STATISTICS 0;
ALTER TABLE api_keys
    ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE groups
    ALTER COLUMN enroll_token SET STATISTICS 0;
ALTER TABLE property_definitions
    ALTER COLUMN options SET STATISTICS 0;
ALTER TABLE schools
    ALTER COLUMN properties SET STATISTICS 0, ALTER COLUMN property_folds SET STATISTICS 0,
    ALTER COLUMN entry_secret SET STATISTICS 0, ALTER COLUMN sso_client_secret SET STATISTICS 0;
ALTER TABLE webhook_endpoints
    ALTER COLUMN description SET STATISTICS 0, ALTER COLUMN secret SET STATISTICS 0, ALTER COLUMN old_secret SET STATISTICS 0;
