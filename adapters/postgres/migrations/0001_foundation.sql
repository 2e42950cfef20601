-- The foundation: schools and their keys, people, categories, courses and
-- enrollments.
--
-- The school stands first in every key, and every reference carries it, so that
-- a row of one school cannot refer to a row of another.
--
-- A *_fold column is text.Fold of the text beside it, a *_key column text.Key;
-- both are computed in Go and compared byte by byte (COLLATE "C"). Slugs and
-- tokens hold nothing but lower-case ASCII, so they are their own fold.

-- +goose Up

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE schools (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL,
    name_fold  text        COLLATE "C" NOT NULL,
    auth       text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE TABLE api_keys (
    id         uuid        PRIMARY KEY,
    school_id  uuid        NOT NULL REFERENCES schools (id),
    name       text        NOT NULL,
    hash       bytea       NOT NULL UNIQUE,
    prefix     text        NOT NULL,
    created_at timestamptz NOT NULL,
    last_used  timestamptz,
    revoked_at timestamptz
);
CREATE INDEX api_keys_by_school ON api_keys (school_id, created_at, id);

-- The free space of a page lets the counters change in place.
CREATE TABLE people (
    school_id         uuid        NOT NULL REFERENCES schools (id),
    id                uuid        NOT NULL,
    email             text        NOT NULL,
    email_key         text        COLLATE "C" NOT NULL,
    email_fold        text        COLLATE "C" NOT NULL,
    first_name        text        NOT NULL,
    first_name_fold   text        COLLATE "C" NOT NULL,
    last_name         text        NOT NULL,
    last_name_fold    text        COLLATE "C" NOT NULL,
    full_name         text        NOT NULL,
    full_name_fold    text        COLLATE "C" NOT NULL,
    avatar_url        text,
    avatar_url_fold   text        COLLATE "C",
    activated_at      timestamptz,
    unsubscribed      boolean     NOT NULL,
    course_count      integer     NOT NULL DEFAULT 0,
    group_count       integer     NOT NULL DEFAULT 0,
    partnership_count integer     NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT people_email_key UNIQUE (school_id, email_key)
) WITH (fillfactor = 90);
CREATE INDEX people_by_name ON people (school_id, full_name_fold, id);
CREATE INDEX people_by_email ON people (school_id, email_fold, id);
CREATE INDEX people_by_creation ON people (school_id, created_at, id);
CREATE INDEX people_name_words ON people USING gin (full_name_fold gin_trgm_ops);
CREATE INDEX people_email_words ON people USING gin (email_fold gin_trgm_ops);

CREATE TABLE partnerships (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    role       text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT partnerships_role_key UNIQUE (school_id, person_id, role),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);

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

CREATE TABLE courses (
    school_id         uuid        NOT NULL REFERENCES schools (id),
    id                uuid        NOT NULL,
    name              text        NOT NULL,
    name_fold         text        COLLATE "C" NOT NULL,
    permalink         text        COLLATE "C" NOT NULL,
    enroll_token      text        COLLATE "C" NOT NULL,
    enrollments_count bigint      NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT courses_permalink_key UNIQUE (school_id, permalink)
) WITH (fillfactor = 70);
CREATE INDEX courses_by_name ON courses (school_id, name_fold, id);
CREATE INDEX courses_name_words ON courses USING gin (name_fold gin_trgm_ops);

-- What courses.enrollments_count lacks: changes by transactions that found the
-- course's row in use. The count of a course is the sum of both. A reference to
-- the course would have to be checked, and so would wait for whoever has locked
-- the course; who removes a course removes what is left here with it.
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
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id),
    FOREIGN KEY (school_id, category_id) REFERENCES categories (school_id, id)
);
CREATE INDEX course_categories_by_category ON course_categories (school_id, category_id);

CREATE TABLE course_instructors (
    school_id      uuid NOT NULL,
    course_id      uuid NOT NULL,
    partnership_id uuid NOT NULL,
    PRIMARY KEY (school_id, course_id, partnership_id),
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id),
    FOREIGN KEY (school_id, partnership_id) REFERENCES partnerships (school_id, id)
);
CREATE INDEX course_instructors_by_partnership ON course_instructors (school_id, partnership_id);

CREATE TABLE enrollments (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    course_id  uuid        NOT NULL,
    role       text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT enrollments_place_key UNIQUE (school_id, person_id, role, course_id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id)
);
CREATE INDEX enrollments_by_course ON enrollments (school_id, course_id, role);

-- +goose StatementBegin
-- Keeps people.course_count and the counts of courses, for every writer.
--
-- People are locked in the order of their ids, so that two statements that
-- enroll several people cannot wait for each other.
--
-- A course's row is never waited for: whoever finds it free adds its own change
-- and all those that others have left in course_count_deltas; whoever finds it
-- in use leaves its change there. Each step is a statement of its own and so,
-- under READ COMMITTED, sees all that was committed before it: between taking
-- the row and the commit nobody else removes deltas of that course.
--
-- Every join meets a handful of rows by their keys; without the settings, a
-- plan made for a large import would stay with the connection.
CREATE FUNCTION count_enrollments() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    step   integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    tenant uuid;
    held   uuid[];
BEGIN
    FOR tenant IN SELECT DISTINCT school_id FROM changed WHERE role = 'learner' LOOP
        UPDATE people p SET course_count = p.course_count + step * l.courses
        FROM (
            SELECT q.id, n.courses
            FROM (
                SELECT e.person_id, count(*)::integer AS courses FROM changed e
                WHERE e.school_id = tenant AND e.role = 'learner' GROUP BY e.person_id
            ) n
            JOIN people q ON q.school_id = tenant AND q.id = n.person_id
            ORDER BY q.id FOR NO KEY UPDATE OF q
        ) l
        WHERE p.school_id = tenant AND p.id = l.id;

        SELECT coalesce(array_agg(l.id), '{}') INTO held
        FROM (
            SELECT c.id FROM courses c
            WHERE c.school_id = tenant AND c.id IN (
                SELECT e.course_id FROM changed e WHERE e.school_id = tenant AND e.role = 'learner'
            )
            ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
        ) l;

        WITH left_over AS (
            DELETE FROM course_count_deltas d
            WHERE d.school_id = tenant AND d.course_id = ANY (held)
            RETURNING d.course_id, d.delta
        )
        UPDATE courses c SET enrollments_count = c.enrollments_count + n.delta
        FROM (
            SELECT a.course_id, sum(a.delta)::bigint AS delta
            FROM (
                SELECT e.course_id, step::bigint AS delta FROM changed e
                WHERE e.school_id = tenant AND e.role = 'learner' AND e.course_id = ANY (held)
                UNION ALL
                SELECT o.course_id, o.delta FROM left_over o
            ) a
            GROUP BY a.course_id
        ) n
        WHERE c.school_id = tenant AND c.id = n.course_id;

        INSERT INTO course_count_deltas (school_id, course_id, delta)
        SELECT tenant, e.course_id, step * count(*) FROM changed e
        WHERE e.school_id = tenant AND e.role = 'learner' AND e.course_id <> ALL (held)
        GROUP BY e.course_id;
    END LOOP;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER enrollments_added AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();
CREATE TRIGGER enrollments_removed AFTER DELETE ON enrollments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();

-- +goose StatementBegin
-- Keeps people.partnership_count, for every writer.
CREATE FUNCTION count_partnerships() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    UPDATE people p SET partnership_count = p.partnership_count + step * l.roles
    FROM (
        SELECT q.school_id, q.id, n.roles
        FROM (
            SELECT e.school_id, e.person_id, count(*)::integer AS roles FROM changed e
            GROUP BY e.school_id, e.person_id
        ) n
        JOIN people q ON q.school_id = n.school_id AND q.id = n.person_id
        ORDER BY q.school_id, q.id FOR NO KEY UPDATE OF q
    ) l
    WHERE p.school_id = l.school_id AND p.id = l.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER partnerships_added AFTER INSERT ON partnerships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_partnerships();
CREATE TRIGGER partnerships_removed AFTER DELETE ON partnerships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_partnerships();

-- +goose StatementBegin
-- The counters follow insertions and deletions only, so a counted row must stay
-- what it is.
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a row of % keeps what it is counted by', TG_TABLE_NAME;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER enrollments_stay BEFORE UPDATE OF school_id, person_id, course_id, role ON enrollments
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_move();
CREATE TRIGGER partnerships_stay BEFORE UPDATE OF school_id, person_id, role ON partnerships
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_move();

-- +goose Down

DROP TABLE enrollments, course_instructors, course_categories, course_count_deltas, courses,
    categories, partnerships, people, api_keys, schools;
DROP FUNCTION count_enrollments();
DROP FUNCTION count_partnerships();
DROP FUNCTION refuse_move();
