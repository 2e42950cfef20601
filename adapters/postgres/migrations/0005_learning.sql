-- How learners do: their attempts at courses and quizzes, what they complete,
-- answer and hand in, and the feed of events.
--
-- quiz_answers and quiz_scores repeat what they belong to, so that an index can
-- give a page of a person's, a course's, a quiz's or an activity's rows in their
-- order. What is repeated never changes. Names are not repeated: they do.

-- +goose Up

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
    CONSTRAINT course_attempts_number_key UNIQUE (school_id, person_id, course_id, number) INCLUDE (id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id)
) WITH (fillfactor = 90);

CREATE TABLE completions (
    school_id    uuid        NOT NULL,
    attempt_id   uuid        NOT NULL,
    activity_id  uuid        NOT NULL,
    completed_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, attempt_id, activity_id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id)
);

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
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id)
);
CREATE INDEX submissions_by_creation ON submissions (school_id, created_at DESC, id);
CREATE INDEX submissions_by_person ON submissions (school_id, person_id, created_at DESC, id);
CREATE INDEX submissions_by_course ON submissions (school_id, course_id, created_at DESC, id);
CREATE INDEX submissions_by_assignment ON submissions (school_id, assignment_id, created_at DESC, id);
CREATE INDEX submissions_by_attempt ON submissions (school_id, attempt_id, created_at DESC, id);

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
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id),
    FOREIGN KEY (school_id, attempt_id) REFERENCES course_attempts (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id),
    FOREIGN KEY (school_id, quiz_id) REFERENCES quizzes (school_id, id)
) WITH (fillfactor = 90);
CREATE INDEX quiz_attempts_by_person ON quiz_attempts (school_id, person_id);

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

-- The score of the quiz attempt with the highest number, which is the number
-- here. The ids are of one sequence for all schools.
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

-- The end of a school's feed. Who appends changes it, so that the next one waits
-- for the commit: events appear in the order of their positions.
CREATE TABLE event_feeds (
    school_id uuid        PRIMARY KEY REFERENCES schools (id),
    position  bigint      NOT NULL,
    last_at   timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE events (
    school_id   uuid        NOT NULL,
    position    bigint      NOT NULL,
    kind        text        COLLATE "C" NOT NULL,
    person_id   uuid        NOT NULL,
    activity_id uuid        NOT NULL,
    watched     integer, -- in millionths
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (school_id, position),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, activity_id) REFERENCES activities (school_id, id)
);
CREATE INDEX events_by_creation ON events (school_id, created_at, position);
CREATE INDEX events_by_person ON events (school_id, person_id, created_at, position);
CREATE INDEX events_by_activity ON events (school_id, activity_id, created_at, position);

-- Both enrollments and course_analytics are listed by these; ties of one instant
-- are sorted for the former. With the role they hold all that the latter needs.
CREATE INDEX enrollments_by_creation ON enrollments (school_id, created_at DESC, person_id, course_id) INCLUDE (role);
DROP INDEX enrollments_by_course;
CREATE INDEX enrollments_by_course ON enrollments (school_id, course_id, created_at DESC, person_id) INCLUDE (role);

-- A row for each attempt of every enrolled learner, and one for who has none.
CREATE VIEW course_analytics AS
    SELECT e.school_id, e.person_id, e.course_id, a.id AS attempt_id,
        coalesce(a.id, '00000000-0000-0000-0000-000000000000') AS attempt_or_none,
        e.created_at AS enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress
    FROM enrollments e LEFT JOIN course_attempts a
        ON a.school_id = e.school_id AND a.person_id = e.person_id AND a.course_id = e.course_id
    WHERE e.role = 'learner';

-- +goose Down

DROP VIEW course_analytics;
DROP INDEX enrollments_by_creation, enrollments_by_course;
CREATE INDEX enrollments_by_course ON enrollments (school_id, course_id, role);
DROP TABLE events, event_feeds, quiz_scores, quiz_answers, quiz_attempts, submissions, completions, course_attempts;
