-- The rows of course analytics are kept, so that one index gives a page of them,
-- however deep, without a look at the attempts of all who come before it.

-- +goose Up

-- A row for each attempt of every enrolled learner, and one for who has none,
-- whose attempt is zero. The triggers below keep it for every writer; it refers
-- to nothing, since what it follows from does.
CREATE TABLE course_standings (
    school_id       uuid        NOT NULL,
    person_id       uuid        NOT NULL,
    course_id       uuid        NOT NULL,
    attempt_or_none uuid        NOT NULL,
    enrolled_at     timestamptz NOT NULL,
    PRIMARY KEY (school_id, person_id, course_id, attempt_or_none)
);

DROP VIEW course_analytics;
INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
SELECT e.school_id, e.person_id, e.course_id, coalesce(a.id, '00000000-0000-0000-0000-000000000000'), e.created_at
FROM enrollments e LEFT JOIN course_attempts a
    ON a.school_id = e.school_id AND a.person_id = e.person_id AND a.course_id = e.course_id
WHERE e.role = 'learner';

CREATE INDEX course_standings_by_enrollment
    ON course_standings (school_id, enrolled_at DESC, person_id, course_id, attempt_or_none);
CREATE INDEX course_standings_by_course
    ON course_standings (school_id, course_id, enrolled_at DESC, person_id, attempt_or_none);

-- What changes with each completion stays in the attempt. The key of attempts
-- alone would find it; the rest lets a search by the attempt find the standing.
CREATE VIEW course_analytics AS
    SELECT s.school_id, s.person_id, s.course_id, a.id AS attempt_id, s.attempt_or_none,
        s.enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress
    FROM course_standings s LEFT JOIN course_attempts a
        ON a.school_id = s.school_id AND a.id = s.attempt_or_none
        AND a.person_id = s.person_id AND a.course_id = s.course_id;

-- +goose StatementBegin
-- Who enrolls stands with the attempts of earlier, who leaves stands no more. The
-- people are locked: the counting of enrollments, whose triggers come first by
-- their names, has done it.
CREATE FUNCTION enrollments_stand() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT e.school_id, e.person_id, e.course_id,
            coalesce(a.id, '00000000-0000-0000-0000-000000000000'), e.created_at
        FROM changed e LEFT JOIN course_attempts a
            ON a.school_id = e.school_id AND a.person_id = e.person_id AND a.course_id = e.course_id
        WHERE e.role = 'learner';
    ELSE
        DELETE FROM course_standings s USING changed e
        WHERE e.role = 'learner'
            AND s.school_id = e.school_id AND s.person_id = e.person_id AND s.course_id = e.course_id;
    END IF;
    RETURN NULL;
END
$$;

-- Attempts of who is enrolled take the place of none, and leave it. Each step is
-- a statement of its own and so sees what was committed before the people were
-- locked, as they are by whoever enrolls or leaves.
CREATE FUNCTION attempts_stand() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    none uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    PERFORM FROM people p WHERE (p.school_id, p.id) IN (SELECT school_id, person_id FROM changed)
    ORDER BY p.school_id, p.id FOR NO KEY UPDATE;

    IF TG_OP = 'INSERT' THEN
        DELETE FROM course_standings s USING changed a
        WHERE s.school_id = a.school_id AND s.person_id = a.person_id AND s.course_id = a.course_id
            AND s.attempt_or_none = none;

        INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT a.school_id, a.person_id, a.course_id, a.id, e.created_at
        FROM changed a JOIN enrollments e ON e.school_id = a.school_id AND e.person_id = a.person_id
            AND e.role = 'learner' AND e.course_id = a.course_id;
    ELSE
        DELETE FROM course_standings s USING changed a
        WHERE s.school_id = a.school_id AND s.person_id = a.person_id AND s.course_id = a.course_id
            AND s.attempt_or_none = a.id;

        INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT DISTINCT e.school_id, e.person_id, e.course_id, none, e.created_at
        FROM changed a JOIN enrollments e ON e.school_id = a.school_id AND e.person_id = a.person_id
            AND e.role = 'learner' AND e.course_id = a.course_id
        WHERE NOT EXISTS (
            SELECT FROM course_attempts o
            WHERE o.school_id = a.school_id AND o.person_id = a.person_id AND o.course_id = a.course_id
        );
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER enrollments_stand_added AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enrollments_stand();
CREATE TRIGGER enrollments_stand_removed AFTER DELETE ON enrollments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enrollments_stand();
CREATE TRIGGER attempts_stand_added AFTER INSERT ON course_attempts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION attempts_stand();
CREATE TRIGGER attempts_stand_removed AFTER DELETE ON course_attempts
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION attempts_stand();
CREATE TRIGGER enrollments_stand_still BEFORE UPDATE OF created_at ON enrollments
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_move();
CREATE TRIGGER attempts_stand_still BEFORE UPDATE OF school_id, id, person_id, course_id ON course_attempts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_move();

-- +goose Down

DROP VIEW course_analytics;
DROP TRIGGER enrollments_stand_added ON enrollments;
DROP TRIGGER enrollments_stand_removed ON enrollments;
DROP TRIGGER enrollments_stand_still ON enrollments;
DROP TRIGGER attempts_stand_added ON course_attempts;
DROP TRIGGER attempts_stand_removed ON course_attempts;
DROP TRIGGER attempts_stand_still ON course_attempts;
DROP FUNCTION enrollments_stand();
DROP FUNCTION attempts_stand();
DROP TABLE course_standings;
CREATE VIEW course_analytics AS
    SELECT e.school_id, e.person_id, e.course_id, a.id AS attempt_id,
        coalesce(a.id, '00000000-0000-0000-0000-000000000000') AS attempt_or_none,
        e.created_at AS enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress
    FROM enrollments e LEFT JOIN course_attempts a
        ON a.school_id = e.school_id AND a.person_id = e.person_id AND a.course_id = e.course_id
    WHERE e.role = 'learner';
