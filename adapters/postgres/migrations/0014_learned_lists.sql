-- Lists of completions and of quiz attempts, by creation and by change, for a
-- person and for a course.

-- +goose Up

-- Completions repeat whose they are, as answers do. What is repeated never
-- changes; the attempt says it for every writer, and what the attempt refers to
-- is there.
ALTER TABLE completions
    ADD COLUMN person_id     uuid,
    ADD COLUMN course_id     uuid,
    ADD COLUMN course_number integer;
UPDATE completions c SET person_id = a.person_id, course_id = a.course_id, course_number = a.number
FROM course_attempts a WHERE a.school_id = c.school_id AND a.id = c.attempt_id;
ALTER TABLE completions
    ALTER COLUMN person_id SET NOT NULL,
    ALTER COLUMN course_id SET NOT NULL,
    ALTER COLUMN course_number SET NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION completions_belong() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT a.person_id, a.course_id, a.number INTO NEW.person_id, NEW.course_id, NEW.course_number
    FROM course_attempts a WHERE a.school_id = NEW.school_id AND a.id = NEW.attempt_id;
    IF NOT FOUND THEN
        RAISE foreign_key_violation USING MESSAGE = 'a completion in an attempt that there is not';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER completions_belong BEFORE INSERT ON completions
    FOR EACH ROW EXECUTE FUNCTION completions_belong();

CREATE INDEX completions_by_time ON completions (school_id, completed_at DESC, attempt_id, activity_id);
CREATE INDEX completions_by_person ON completions (school_id, person_id, completed_at DESC, attempt_id, activity_id);
CREATE INDEX completions_by_course ON completions (school_id, course_id, completed_at DESC, attempt_id, activity_id);
CREATE INDEX completions_by_activity ON completions (school_id, activity_id, completed_at DESC, attempt_id);

DROP INDEX quiz_attempts_by_person;
CREATE INDEX quiz_attempts_by_creation ON quiz_attempts (school_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_change ON quiz_attempts (school_id, last_answered_at, id);
CREATE INDEX quiz_attempts_by_person ON quiz_attempts (school_id, person_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_course ON quiz_attempts (school_id, course_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_quiz ON quiz_attempts (school_id, quiz_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_activity ON quiz_attempts (school_id, activity_id, started_at DESC, id);

CREATE INDEX activities_by_assignment ON activities (school_id, assignment_id, id) WHERE assignment_id IS NOT NULL;

-- +goose Down

DROP INDEX activities_by_assignment;
DROP INDEX quiz_attempts_by_creation, quiz_attempts_by_change, quiz_attempts_by_person, quiz_attempts_by_course,
    quiz_attempts_by_quiz, quiz_attempts_by_activity;
CREATE INDEX quiz_attempts_by_person ON quiz_attempts (school_id, person_id);
DROP INDEX completions_by_time, completions_by_person, completions_by_course, completions_by_activity;
DROP TRIGGER completions_belong ON completions;
DROP FUNCTION completions_belong;
ALTER TABLE completions DROP COLUMN person_id, DROP COLUMN course_id, DROP COLUMN course_number;
