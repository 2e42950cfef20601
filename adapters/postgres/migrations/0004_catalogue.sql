-- What courses are made of: activities, quizzes with their questions, and
-- assignments. Keys, folds and references are as in the foundation.

-- +goose Up

CREATE TABLE quizzes (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    name       text        NOT NULL,
    name_fold  text        COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id)
);
CREATE INDEX quizzes_by_name ON quizzes (school_id, name_fold, id);
CREATE INDEX quizzes_name_words ON quizzes USING gin (name_fold gin_trgm_ops);

-- The choices are two arrays of one length: the texts, and which are correct.
CREATE TABLE quiz_questions (
    school_id uuid      NOT NULL,
    quiz_id   uuid      NOT NULL,
    id        uuid      NOT NULL,
    number    integer   NOT NULL,
    text      text      NOT NULL,
    text_fold text      COLLATE "C" NOT NULL,
    choices   text[]    NOT NULL,
    correct   boolean[] NOT NULL,
    PRIMARY KEY (school_id, quiz_id, id),
    FOREIGN KEY (school_id, quiz_id) REFERENCES quizzes (school_id, id)
);

CREATE TABLE assignments (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    title      text        NOT NULL,
    title_fold text        COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id)
);
CREATE INDEX assignments_by_title ON assignments (school_id, title_fold, id);
CREATE INDEX assignments_title_words ON assignments USING gin (title_fold gin_trgm_ops);

CREATE TABLE activities (
    school_id     uuid        NOT NULL,
    id            uuid        NOT NULL,
    course_id     uuid        NOT NULL,
    title         text        NOT NULL,
    title_fold    text        COLLATE "C" NOT NULL,
    kind          text        COLLATE "C" NOT NULL,
    quiz_id       uuid,
    assignment_id uuid,
    seconds       integer     NOT NULL, -- of a video; else 0
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id),
    FOREIGN KEY (school_id, quiz_id) REFERENCES quizzes (school_id, id),
    FOREIGN KEY (school_id, assignment_id) REFERENCES assignments (school_id, id)
);
CREATE INDEX activities_by_title ON activities (school_id, title_fold, id);
CREATE INDEX activities_by_course ON activities (school_id, course_id, title_fold, id);
CREATE INDEX activities_by_quiz ON activities (school_id, quiz_id, id) WHERE quiz_id IS NOT NULL;
CREATE INDEX activities_title_words ON activities USING gin (title_fold gin_trgm_ops);

-- +goose Down

DROP TABLE activities, assignments, quiz_questions, quizzes;
