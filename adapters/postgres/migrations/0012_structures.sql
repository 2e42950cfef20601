-- What a course consists of can be changed: activities and questions have keys
-- by which plans know them, and are archived when learners have begun them.

-- +goose Up

-- A key is a slug; what is there already gets its id as one.
ALTER TABLE activities
    ADD COLUMN key text COLLATE "C",
    ADD COLUMN position integer, -- from 1; 0 of an archived one
    ADD COLUMN archived_at timestamptz;
UPDATE activities a SET key = a.id::text, position = o.position FROM (
    SELECT school_id, id, row_number() OVER (PARTITION BY school_id, course_id ORDER BY title_fold, id) AS position
    FROM activities
) o WHERE o.school_id = a.school_id AND o.id = a.id;
ALTER TABLE activities
    ALTER COLUMN key SET NOT NULL,
    ALTER COLUMN position SET NOT NULL,
    ADD CONSTRAINT activities_key_key UNIQUE (school_id, course_id, key);

ALTER TABLE quiz_questions
    ADD COLUMN key text COLLATE "C",
    ADD COLUMN archived boolean NOT NULL DEFAULT false; -- its number is 0 then
UPDATE quiz_questions SET key = id::text;
ALTER TABLE quiz_questions
    ALTER COLUMN key SET NOT NULL,
    ADD CONSTRAINT quiz_questions_key_key UNIQUE (school_id, quiz_id, key);

-- Whether learners have begun an activity is asked before it is removed, and by
-- the removal itself; whoever has begun a course is measured anew when it changes.
CREATE INDEX submissions_by_activity ON submissions (school_id, activity_id);
CREATE INDEX course_attempts_by_course ON course_attempts (school_id, course_id, id);

-- +goose Down

DROP INDEX submissions_by_activity, course_attempts_by_course;
ALTER TABLE quiz_questions DROP COLUMN key, DROP COLUMN archived;
ALTER TABLE activities DROP COLUMN key, DROP COLUMN position, DROP COLUMN archived_at;
