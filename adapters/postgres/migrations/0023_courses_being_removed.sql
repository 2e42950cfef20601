-- +goose Up

-- A course that is being removed stays in all_courses until all that refers to it
-- is gone, which takes many short transactions. The view is what all statements
-- read: a course in removal does not exist for them.
ALTER TABLE courses ADD COLUMN removed_at timestamptz;
ALTER TABLE courses RENAME TO all_courses;
CREATE VIEW courses AS
    SELECT school_id, id, name, name_fold, permalink, enroll_token, enrollments_count, created_at, updated_at
    FROM all_courses WHERE removed_at IS NULL;

-- +goose Down

DROP VIEW courses;
ALTER TABLE all_courses RENAME TO courses;
ALTER TABLE courses DROP COLUMN removed_at;
