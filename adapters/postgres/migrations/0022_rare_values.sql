-- Whatever few rows have is found without reading all, and the attempt of a
-- standing always by its id.

-- +goose Up

-- That person and course are those of the standing too is left out: the planner
-- would look for all attempts of a course that is asked for, and take what fits
-- in all three for a rarity.
CREATE OR REPLACE VIEW course_analytics AS
    SELECT s.school_id, s.person_id, s.course_id, a.id AS attempt_id, s.attempt_or_none,
        s.enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress, a.progress AS attempt_progress
    FROM course_standings s LEFT JOIN course_attempts a
        ON a.school_id = s.school_id AND a.id = s.attempt_or_none;
CREATE INDEX course_standings_by_attempt ON course_standings (school_id, attempt_or_none);

-- What few rows have is found by these, in any list.
CREATE INDEX course_attempts_by_progress ON course_attempts (school_id, progress);
CREATE INDEX course_attempts_by_completion ON course_attempts (school_id, last_completed_at);
CREATE INDEX events_by_watched ON events (school_id, watched) WHERE watched IS NOT NULL;
CREATE INDEX events_by_occurrence ON events (school_id, occurred_at) WHERE occurred_at IS NOT NULL;
CREATE INDEX people_by_change ON people (school_id, updated_at);
CREATE INDEX people_by_activation ON people (school_id, activated_at);
CREATE INDEX people_with_avatars ON people (school_id) WHERE avatar_url IS NOT NULL;
CREATE INDEX people_unsubscribed ON people (school_id) WHERE unsubscribed;
CREATE INDEX people_by_first_name ON people (school_id, first_name_fold);
CREATE INDEX people_by_last_name ON people (school_id, last_name_fold);

-- +goose Down

DROP INDEX course_standings_by_attempt, course_attempts_by_progress, course_attempts_by_completion, events_by_watched, events_by_occurrence,
    people_by_change, people_by_activation, people_with_avatars, people_unsubscribed, people_by_first_name,
    people_by_last_name;

DROP VIEW course_analytics;
CREATE VIEW course_analytics AS
    SELECT s.school_id, s.person_id, s.course_id, a.id AS attempt_id, s.attempt_or_none,
        s.enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress
    FROM course_standings s LEFT JOIN course_attempts a
        ON a.school_id = s.school_id AND a.id = s.attempt_or_none
        AND a.person_id = s.person_id AND a.course_id = s.course_id;
