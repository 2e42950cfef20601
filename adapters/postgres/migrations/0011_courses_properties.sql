-- The properties of courses.

-- +goose Up
ALTER TABLE all_courses ADD COLUMN properties jsonb, ADD COLUMN property_folds jsonb;
CREATE OR REPLACE VIEW courses AS
    SELECT school_id, id, name, name_fold, permalink, enroll_token, enrollments_count, created_at, updated_at,
        properties, property_folds
    FROM all_courses WHERE removed_at IS NULL;
