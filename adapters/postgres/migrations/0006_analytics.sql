-- Analytics of courses and quizzes.

-- +goose Up

-- The score of the latest quiz attempt for an activity in a course attempt. The column number is
-- the number of that quiz attempt. The store writes the score with the quiz attempt. All schools
-- share one sequence of IDs.
CREATE TABLE quiz_scores (
    school_id        uuid        NOT NULL,
    id               bigint      GENERATED ALWAYS AS IDENTITY,
    attempt_id       uuid        NOT NULL,
    activity_id      uuid        NOT NULL,
    person_id        uuid        NOT NULL,
    course_id        uuid        NOT NULL,
    course_number    integer     NOT NULL,
    quiz_id          uuid        NOT NULL,
    number           integer     NOT NULL,
    answered         integer     NOT NULL,
    correct          integer     NOT NULL,
    total            integer     NOT NULL,
    last_answered_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT quiz_scores_activity_key UNIQUE (school_id, attempt_id, activity_id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id)
) WITH (fillfactor = 90);
CREATE INDEX quiz_scores_by_time ON quiz_scores (school_id, last_answered_at DESC, id);
CREATE INDEX quiz_scores_by_person ON quiz_scores (school_id, person_id, last_answered_at DESC, id);
CREATE INDEX quiz_scores_by_course ON quiz_scores (school_id, course_id, last_answered_at DESC, id);
CREATE INDEX quiz_scores_by_quiz ON quiz_scores (school_id, quiz_id, last_answered_at DESC, id);
CREATE INDEX quiz_scores_by_activity ON quiz_scores (school_id, activity_id, last_answered_at DESC, id);

-- A row for each course attempt of every enrolled learner, and a row with the zero attempt for a
-- learner without any, so that one index returns any page of the list. The table has no foreign
-- keys, because its source tables have them.
CREATE TABLE course_analytics_rows (
    school_id       uuid        NOT NULL,
    person_id       uuid        NOT NULL,
    course_id       uuid        NOT NULL,
    attempt_or_none uuid        NOT NULL,
    enrolled_at     timestamptz NOT NULL,
    PRIMARY KEY (school_id, person_id, course_id, attempt_or_none)
);
CREATE INDEX course_analytics_rows_by_enrollment
    ON course_analytics_rows (school_id, enrolled_at DESC, person_id, course_id, attempt_or_none);
CREATE INDEX course_analytics_rows_by_course
    ON course_analytics_rows (school_id, course_id, enrolled_at DESC, person_id, attempt_or_none);
CREATE INDEX course_analytics_rows_by_attempt ON course_analytics_rows (school_id, attempt_or_none);

-- The columns that change with every completion are only in course_attempts. The join does not
-- compare person and course, which are the same in both tables: the planner would underestimate the
-- rows that match in all three columns, and read all attempts of a course.
CREATE VIEW course_analytics AS
    SELECT s.school_id, s.person_id, s.course_id, a.id AS attempt_id, s.attempt_or_none,
        s.enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress, a.progress AS attempt_progress
    FROM course_analytics_rows s LEFT JOIN course_attempts a
        ON a.school_id = s.school_id AND a.id = s.attempt_or_none;

-- +goose StatementBegin
-- Adds the rows of learners who enroll, one for each existing attempt, and deletes the rows of
-- learners who leave. count_people runs before this function and locks the people.
CREATE FUNCTION sync_analytics_of_enrollments() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT e.school_id, e.person_id, e.course_id,
            coalesce(a.id, '00000000-0000-0000-0000-000000000000'), e.created_at
        FROM changed e LEFT JOIN LATERAL (
            SELECT a.id FROM course_attempts a
            WHERE a.school_id = e.school_id AND a.person_id BETWEEN e.person_id AND e.person_id
                AND a.course_id = e.course_id
            ORDER BY a.person_id OFFSET 0
        ) a ON true
        WHERE e.role = 'learner';
    ELSE
        DELETE FROM course_analytics_rows s USING (
            SELECT o.place FROM changed e CROSS JOIN LATERAL (
                SELECT o.ctid AS place FROM course_analytics_rows o
                WHERE o.school_id = e.school_id AND o.person_id BETWEEN e.person_id AND e.person_id
                    AND o.course_id = e.course_id
                ORDER BY o.person_id OFFSET 0
            ) o
            WHERE e.role = 'learner'
        ) l
        WHERE s.ctid = l.place;
    END IF;
    RETURN NULL;
END
$$;

-- Replaces the row without an attempt with rows for inserted attempts, and restores it when the
-- last attempt is deleted. Each step is a separate statement and so sees everything committed
-- before the people were locked. Enrolling and leaving lock the person too.
CREATE FUNCTION sync_analytics_of_attempts() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    none uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    PERFORM FROM (
        SELECT DISTINCT a.school_id, a.person_id FROM changed a ORDER BY a.school_id, a.person_id
    ) n
    CROSS JOIN LATERAL (
        SELECT FROM people q WHERE q.school_id = n.school_id AND q.id BETWEEN n.person_id AND n.person_id
        ORDER BY q.id LIMIT 1 FOR NO KEY UPDATE
    ) q;

    DELETE FROM course_analytics_rows s USING (
        SELECT o.place FROM changed a CROSS JOIN LATERAL (
            SELECT o.ctid AS place FROM course_analytics_rows o
            WHERE o.school_id = a.school_id AND o.person_id BETWEEN a.person_id AND a.person_id
                AND o.course_id = a.course_id
                AND o.attempt_or_none = CASE TG_OP WHEN 'INSERT' THEN none ELSE a.id END
            ORDER BY o.person_id OFFSET 0
        ) o
    ) l
    WHERE s.ctid = l.place;

    IF TG_OP = 'INSERT' THEN
        INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT a.school_id, a.person_id, a.course_id, a.id, e.created_at
        FROM changed a CROSS JOIN LATERAL (
            SELECT e.created_at FROM enrollments e
            WHERE e.school_id = a.school_id AND e.person_id BETWEEN a.person_id AND a.person_id
                AND e.role = 'learner' AND e.course_id = a.course_id
            ORDER BY e.person_id LIMIT 1
        ) e;
    ELSE
        INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT DISTINCT a.school_id, a.person_id, a.course_id, none, e.created_at
        FROM changed a CROSS JOIN LATERAL (
            SELECT e.created_at FROM enrollments e
            WHERE e.school_id = a.school_id AND e.person_id BETWEEN a.person_id AND a.person_id
                AND e.role = 'learner' AND e.course_id = a.course_id
            ORDER BY e.person_id LIMIT 1
        ) e
        WHERE NOT EXISTS (
            SELECT FROM (
                SELECT FROM course_attempts o
                WHERE o.school_id = a.school_id AND o.person_id BETWEEN a.person_id AND a.person_id
                    AND o.course_id = a.course_id
                ORDER BY o.person_id LIMIT 1
            ) o
        );
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER insert_3_analytics AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION sync_analytics_of_enrollments();
CREATE TRIGGER delete_3_analytics AFTER DELETE ON enrollments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION sync_analytics_of_enrollments();
CREATE TRIGGER insert_3_analytics AFTER INSERT ON course_attempts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION sync_analytics_of_attempts();
CREATE TRIGGER delete_3_analytics AFTER DELETE ON course_attempts
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION sync_analytics_of_attempts();
CREATE TRIGGER refuse_update BEFORE UPDATE OF school_id, id, person_id, course_id ON course_attempts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();
