-- Learning: course attempts, completions, submissions, quiz attempts and their answers.
--
-- Completions, quiz attempts, answers and scores duplicate the person, the course and other
-- columns, so that one index returns a page of the rows of a person, a course, a quiz or an
-- activity in order. Duplicated columns never change. Names are not duplicated, because
-- they do.

-- +goose Up

-- The unique key begins with the course, so that the attempts of a course are next to each
-- other in it.
CREATE TABLE course_attempts (
    school_id         uuid        NOT NULL,
    id                uuid        NOT NULL,
    person_id         uuid        NOT NULL,
    course_id         uuid        NOT NULL,
    number            integer     NOT NULL,
    progress          integer     NOT NULL, -- in hundredths of a percent
    last_completed_at timestamptz,
    started_at        timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT course_attempts_number_key UNIQUE (school_id, course_id, person_id, number) INCLUDE (id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id)
) WITH (fillfactor = 90);
CREATE INDEX course_attempts_by_person ON course_attempts (school_id, person_id, id);
-- For filters that match few rows.
CREATE INDEX course_attempts_by_progress ON course_attempts (school_id, progress);
CREATE INDEX course_attempts_by_completion ON course_attempts (school_id, last_completed_at);

CREATE TABLE completions (
    school_id     uuid        NOT NULL,
    attempt_id    uuid        NOT NULL,
    activity_id   uuid        NOT NULL,
    person_id     uuid        NOT NULL,
    course_id     uuid        NOT NULL,
    course_number integer     NOT NULL,
    completed_at  timestamptz NOT NULL,
    PRIMARY KEY (school_id, attempt_id, activity_id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id)
);
CREATE INDEX completions_by_time ON completions (school_id, completed_at DESC, attempt_id, activity_id);
CREATE INDEX completions_by_person ON completions (school_id, person_id, completed_at DESC, attempt_id, activity_id);
CREATE INDEX completions_by_course ON completions (school_id, course_id, completed_at DESC, attempt_id, activity_id);
CREATE INDEX completions_by_activity ON completions (school_id, activity_id, completed_at DESC, attempt_id);

-- +goose StatementBegin
-- Copies the duplicated columns of a completion from the attempt.
CREATE FUNCTION copy_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT a.person_id, a.course_id, a.number INTO NEW.person_id, NEW.course_id, NEW.course_number
    FROM course_attempts a WHERE a.school_id = NEW.school_id AND a.id = NEW.attempt_id;
    IF NOT FOUND THEN
        RAISE foreign_key_violation USING MESSAGE = 'the attempt of a completion does not exist';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER copy_attempt BEFORE INSERT ON completions
    FOR EACH ROW EXECUTE FUNCTION copy_attempt();

CREATE TABLE submissions (
    school_id     uuid        NOT NULL,
    id            uuid        NOT NULL,
    assignment_id uuid        NOT NULL,
    activity_id   uuid        NOT NULL,
    course_id     uuid        NOT NULL,
    person_id     uuid        NOT NULL,
    attempt_id    uuid        NOT NULL,
    file_name     text        NOT NULL,
    media_type    text        NOT NULL,
    file_size     bigint      NOT NULL,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, assignment_id) REFERENCES assignments (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id)
);
CREATE INDEX submissions_by_creation ON submissions (school_id, created_at DESC, id);
CREATE INDEX submissions_by_person ON submissions (school_id, person_id, created_at DESC, id);
CREATE INDEX submissions_by_course ON submissions (school_id, course_id, created_at DESC, id);
CREATE INDEX submissions_by_assignment ON submissions (school_id, assignment_id, created_at DESC, id);
CREATE INDEX submissions_by_attempt ON submissions (school_id, attempt_id, created_at DESC, id);
CREATE INDEX submissions_by_activity ON submissions (school_id, activity_id); -- to check whether learners have started it

CREATE TABLE quiz_attempts (
    school_id        uuid        NOT NULL,
    id               uuid        NOT NULL,
    person_id        uuid        NOT NULL,
    course_id        uuid        NOT NULL,
    attempt_id       uuid        NOT NULL,
    course_number    integer     NOT NULL,
    activity_id      uuid        NOT NULL,
    quiz_id          uuid        NOT NULL,
    number           integer     NOT NULL,
    answered         integer     NOT NULL,
    correct          integer     NOT NULL,
    total            integer     NOT NULL,
    last_answered_at timestamptz NOT NULL,
    started_at       timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT quiz_attempts_number_key UNIQUE (school_id, attempt_id, activity_id, number),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id),
    FOREIGN KEY (school_id, quiz_id) REFERENCES quizzes (school_id, id)
) WITH (fillfactor = 90);
CREATE INDEX quiz_attempts_by_creation ON quiz_attempts (school_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_change ON quiz_attempts (school_id, last_answered_at, id);
CREATE INDEX quiz_attempts_by_person ON quiz_attempts (school_id, person_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_course ON quiz_attempts (school_id, course_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_quiz ON quiz_attempts (school_id, quiz_id, started_at DESC, id);
CREATE INDEX quiz_attempts_by_activity ON quiz_attempts (school_id, activity_id, started_at DESC, id);

CREATE TABLE quiz_answers (
    school_id       uuid        NOT NULL,
    quiz_attempt_id uuid        NOT NULL,
    question_id     uuid        NOT NULL,
    person_id       uuid        NOT NULL,
    course_id       uuid        NOT NULL,
    course_number   integer     NOT NULL,
    activity_id     uuid        NOT NULL,
    quiz_id         uuid        NOT NULL,
    number          integer     NOT NULL,
    total           integer     NOT NULL,
    response        text        NOT NULL,
    response_fold   text        COLLATE "C" NOT NULL,
    correct         boolean     NOT NULL,
    answered_at     timestamptz NOT NULL,
    PRIMARY KEY (school_id, quiz_attempt_id, question_id),
    FOREIGN KEY (school_id, quiz_attempt_id) REFERENCES quiz_attempts (school_id, id),
    FOREIGN KEY (school_id, quiz_id, question_id) REFERENCES quiz_questions (school_id, quiz_id, id)
);
CREATE INDEX quiz_answers_by_time ON quiz_answers (school_id, answered_at DESC, quiz_attempt_id, question_id);
CREATE INDEX quiz_answers_by_person ON quiz_answers (school_id, person_id, answered_at DESC, quiz_attempt_id, question_id);
CREATE INDEX quiz_answers_by_course ON quiz_answers (school_id, course_id, answered_at DESC, quiz_attempt_id, question_id);
CREATE INDEX quiz_answers_by_quiz ON quiz_answers (school_id, quiz_id, answered_at DESC, quiz_attempt_id, question_id);
CREATE INDEX quiz_answers_by_activity ON quiz_answers (school_id, activity_id, answered_at DESC, quiz_attempt_id, question_id);
