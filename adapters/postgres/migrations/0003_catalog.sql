-- The catalog: categories, courses, quizzes, assignments and activities.

-- +goose Up

CREATE TABLE categories (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    name       text        NOT NULL,
    name_key   text        COLLATE "C" NOT NULL,
    name_fold  text        COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT categories_name_key UNIQUE (school_id, name_key)
);
CREATE INDEX categories_by_name ON categories (school_id, name_fold, id);
CREATE INDEX categories_name_words ON categories USING gin (name_fold gin_trgm_ops);

-- The deletion of a course takes many short transactions (ADR 26). Until the last one the
-- course stays in all_courses with the time in removed_at.
CREATE TABLE all_courses (
    school_id         uuid        NOT NULL REFERENCES schools (id),
    id                uuid        NOT NULL,
    name              text        NOT NULL,
    name_fold         text        COLLATE "C" NOT NULL,
    permalink         text        COLLATE "C" NOT NULL,
    enroll_token      text        COLLATE "C" NOT NULL,
    enrollments_count bigint      NOT NULL DEFAULT 0, -- number of learners; see course_count_deltas
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    removed_at        timestamptz,
    PRIMARY KEY (school_id, id),
    CONSTRAINT courses_permalink_key UNIQUE (school_id, permalink)
) WITH (fillfactor = 70);
CREATE INDEX courses_by_name ON all_courses (school_id, name_fold, id);
CREATE INDEX courses_name_words ON all_courses USING gin (name_fold gin_trgm_ops);
-- Lists hide the records of courses in removal, so each list looks for such courses.
CREATE INDEX courses_in_removal ON all_courses (school_id, id) WHERE removed_at IS NOT NULL;

-- The courses that the API shows. All statements use this view, so that none can omit the
-- condition.
CREATE VIEW courses AS
    SELECT school_id, id, name, name_fold, permalink, enroll_token, enrollments_count, created_at, updated_at
    FROM all_courses WHERE removed_at IS NULL;

-- The part of all_courses.enrollments_count that is not in the row yet: the changes of
-- transactions that found the row locked. The count of a course is the sum of both. There
-- is no foreign key to the course, because its check would wait for the lock; the store
-- deletes the rows of a course with the course.
CREATE TABLE course_count_deltas (
    school_id uuid   NOT NULL,
    course_id uuid   NOT NULL,
    id        bigint GENERATED ALWAYS AS IDENTITY,
    delta     bigint NOT NULL,
    PRIMARY KEY (school_id, course_id, id)
);

CREATE TABLE course_categories (
    school_id   uuid NOT NULL,
    course_id   uuid NOT NULL,
    category_id uuid NOT NULL,
    PRIMARY KEY (school_id, course_id, category_id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id),
    FOREIGN KEY (school_id, category_id) REFERENCES categories (school_id, id)
);
CREATE INDEX course_categories_by_category ON course_categories (school_id, category_id);

CREATE TABLE course_instructors (
    school_id      uuid NOT NULL,
    course_id      uuid NOT NULL,
    partnership_id uuid NOT NULL,
    PRIMARY KEY (school_id, course_id, partnership_id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id),
    FOREIGN KEY (school_id, partnership_id) REFERENCES partnerships (school_id, id)
);
CREATE INDEX course_instructors_by_partnership ON course_instructors (school_id, partnership_id);

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

-- The choices are two arrays of one length: the texts, and which are correct. A question
-- that learners have answered is archived instead of deleted.
CREATE TABLE quiz_questions (
    school_id uuid      NOT NULL,
    quiz_id   uuid      NOT NULL,
    id        uuid      NOT NULL,
    key       text      COLLATE "C" NOT NULL, -- identifies the question in a course structure
    number    integer   NOT NULL,             -- from 1; 0 if archived
    text      text      NOT NULL,
    text_fold text      COLLATE "C" NOT NULL,
    choices   text[]    NOT NULL,
    correct   boolean[] NOT NULL,
    archived  boolean   NOT NULL DEFAULT false,
    PRIMARY KEY (school_id, quiz_id, id),
    CONSTRAINT quiz_questions_key_key UNIQUE (school_id, quiz_id, key),
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

-- An activity that learners have started is archived instead of deleted.
CREATE TABLE activities (
    school_id     uuid        NOT NULL,
    id            uuid        NOT NULL,
    course_id     uuid        NOT NULL,
    key           text        COLLATE "C" NOT NULL, -- identifies the activity in a course structure
    position      integer     NOT NULL,             -- from 1; 0 if archived
    title         text        NOT NULL,
    title_fold    text        COLLATE "C" NOT NULL,
    kind          text        COLLATE "C" NOT NULL,
    quiz_id       uuid,
    assignment_id uuid,
    seconds       integer     NOT NULL,             -- of a video; otherwise 0
    archived_at   timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT activities_key_key UNIQUE (school_id, course_id, key),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id),
    FOREIGN KEY (school_id, quiz_id) REFERENCES quizzes (school_id, id),
    FOREIGN KEY (school_id, assignment_id) REFERENCES assignments (school_id, id)
);
CREATE INDEX activities_by_title ON activities (school_id, title_fold, id);
CREATE INDEX activities_by_course ON activities (school_id, course_id, title_fold, id);
CREATE INDEX activities_by_quiz ON activities (school_id, quiz_id, id) WHERE quiz_id IS NOT NULL;
CREATE INDEX activities_by_assignment ON activities (school_id, assignment_id, id) WHERE assignment_id IS NOT NULL;
CREATE INDEX activities_title_words ON activities USING gin (title_fold gin_trgm_ops);
