-- Enrollments in courses, groups and memberships in groups, with their counts.

-- +goose Up

CREATE TABLE enrollments (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    course_id  uuid        NOT NULL,
    role       text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT enrollments_role_key UNIQUE (school_id, person_id, role, course_id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id)
);
-- Includes all columns that the list of a course shows. The rows of one course are spread over the
-- whole table, so fetching a row would read two or three pages.
CREATE INDEX enrollments_by_course ON enrollments (school_id, course_id, created_at DESC, id)
    INCLUDE (person_id, role, updated_at);
CREATE INDEX enrollments_by_creation ON enrollments (school_id, created_at DESC, person_id, course_id)
    INCLUDE (role);

-- +goose StatementBegin
-- Adds inserted enrollments of learners to the count of the course, and subtracts deleted
-- ones.
--
-- It never waits for the row of a course. If the row is free, the function locks it and
-- adds its own change and all changes in course_count_deltas; otherwise it inserts its
-- change there. Each step is a separate statement and so, under READ COMMITTED, sees
-- everything committed before it: between the lock and the commit no other transaction
-- deletes deltas of that course.
--
-- count_group_members does the same for groups. One function for both would need dynamic
-- SQL, which is planned each time: an insert then took 2.5 times as long.
CREATE FUNCTION count_course_learners() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    step   integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    tenant uuid;
    held   uuid[];
BEGIN
    FOR tenant IN SELECT DISTINCT school_id FROM changed WHERE role = 'learner' LOOP
        SELECT coalesce(array_agg(c.id), '{}') INTO held
        FROM (
            SELECT DISTINCT e.course_id FROM changed e
            WHERE e.school_id = tenant AND e.role = 'learner' ORDER BY e.course_id
        ) n
        CROSS JOIN LATERAL (
            SELECT c.id FROM courses c WHERE c.school_id = tenant AND c.id BETWEEN n.course_id AND n.course_id
            ORDER BY c.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
        ) c;

        WITH left_over AS (
            DELETE FROM course_count_deltas d
            WHERE d.school_id = tenant AND d.course_id = ANY (held)
            RETURNING d.course_id, d.delta
        )
        UPDATE all_courses c SET enrollments_count = c.enrollments_count + l.delta
        FROM (
            SELECT q.place, n.delta
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
            CROSS JOIN LATERAL (
                SELECT q.ctid AS place FROM all_courses q
                WHERE q.school_id = tenant AND q.id BETWEEN n.course_id AND n.course_id ORDER BY q.id LIMIT 1
            ) q
        ) l
        WHERE c.ctid = l.place;

        INSERT INTO course_count_deltas (school_id, course_id, delta)
        SELECT tenant, e.course_id, step * count(*) FROM changed e
        WHERE e.school_id = tenant AND e.role = 'learner' AND e.course_id <> ALL (held)
        GROUP BY e.course_id;
    END LOOP;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER insert_1_people AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION count_people('course_count', 'learner');
CREATE TRIGGER delete_1_people AFTER DELETE ON enrollments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION count_people('course_count', 'learner');
CREATE TRIGGER insert_2_courses AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION count_course_learners();
CREATE TRIGGER delete_2_courses AFTER DELETE ON enrollments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION count_course_learners();
CREATE TRIGGER refuse_update BEFORE UPDATE OF school_id, person_id, course_id, role, created_at ON enrollments
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();

CREATE TABLE groups (
    school_id        uuid        NOT NULL REFERENCES schools (id),
    id               uuid        NOT NULL,
    name             text        NOT NULL,
    name_key         text        COLLATE "C" NOT NULL,
    name_fold        text        COLLATE "C" NOT NULL,
    enroll_token     text        COLLATE "C" NOT NULL,
    membership_count bigint      NOT NULL DEFAULT 0, -- number of members; see group_count_deltas
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT groups_name_key UNIQUE (school_id, name_key)
) WITH (fillfactor = 70);
CREATE INDEX groups_by_name ON groups (school_id, name_fold, id);
CREATE INDEX groups_name_words ON groups USING gin (name_fold gin_trgm_ops);

-- The part of groups.membership_count that is not in the row yet, like course_count_deltas.
CREATE TABLE group_count_deltas (
    school_id uuid   NOT NULL,
    group_id  uuid   NOT NULL,
    id        bigint GENERATED ALWAYS AS IDENTITY,
    delta     bigint NOT NULL,
    PRIMARY KEY (school_id, group_id, id)
);

CREATE TABLE group_courses (
    school_id uuid NOT NULL,
    group_id  uuid NOT NULL,
    course_id uuid NOT NULL,
    PRIMARY KEY (school_id, group_id, course_id),
    FOREIGN KEY (school_id, group_id) REFERENCES groups (school_id, id),
    FOREIGN KEY (school_id, course_id) REFERENCES all_courses (school_id, id)
);
CREATE INDEX group_courses_by_course ON group_courses (school_id, course_id);

CREATE TABLE memberships (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    group_id   uuid        NOT NULL,
    role       text        COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT memberships_role_key UNIQUE (school_id, person_id, role, group_id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, group_id) REFERENCES groups (school_id, id)
);
CREATE INDEX memberships_by_creation ON memberships (school_id, group_id, created_at DESC, id);
CREATE INDEX memberships_by_role ON memberships (school_id, group_id, role, person_id);

-- +goose StatementBegin
-- Adds inserted memberships of members to the count of the group, and subtracts deleted
-- ones, like count_course_learners.
CREATE FUNCTION count_group_members() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    step   integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    tenant uuid;
    held   uuid[];
BEGIN
    FOR tenant IN SELECT DISTINCT school_id FROM changed WHERE role = 'member' LOOP
        SELECT coalesce(array_agg(g.id), '{}') INTO held
        FROM (
            SELECT DISTINCT m.group_id FROM changed m
            WHERE m.school_id = tenant AND m.role = 'member' ORDER BY m.group_id
        ) n
        CROSS JOIN LATERAL (
            SELECT g.id FROM groups g WHERE g.school_id = tenant AND g.id BETWEEN n.group_id AND n.group_id
            ORDER BY g.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
        ) g;

        WITH left_over AS (
            DELETE FROM group_count_deltas d
            WHERE d.school_id = tenant AND d.group_id = ANY (held)
            RETURNING d.group_id, d.delta
        )
        UPDATE groups g SET membership_count = g.membership_count + l.delta
        FROM (
            SELECT q.place, n.delta
            FROM (
                SELECT a.group_id, sum(a.delta)::bigint AS delta
                FROM (
                    SELECT m.group_id, step::bigint AS delta FROM changed m
                    WHERE m.school_id = tenant AND m.role = 'member' AND m.group_id = ANY (held)
                    UNION ALL
                    SELECT o.group_id, o.delta FROM left_over o
                ) a
                GROUP BY a.group_id
            ) n
            CROSS JOIN LATERAL (
                SELECT q.ctid AS place FROM groups q
                WHERE q.school_id = tenant AND q.id BETWEEN n.group_id AND n.group_id ORDER BY q.id LIMIT 1
            ) q
        ) l
        WHERE g.ctid = l.place;

        INSERT INTO group_count_deltas (school_id, group_id, delta)
        SELECT tenant, m.group_id, step * count(*) FROM changed m
        WHERE m.school_id = tenant AND m.role = 'member' AND m.group_id <> ALL (held)
        GROUP BY m.group_id;
    END LOOP;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER insert_1_people AFTER INSERT ON memberships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION count_people('group_count', 'member');
CREATE TRIGGER delete_1_people AFTER DELETE ON memberships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION count_people('group_count', 'member');
CREATE TRIGGER insert_2_groups AFTER INSERT ON memberships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION count_group_members();
CREATE TRIGGER delete_2_groups AFTER DELETE ON memberships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION count_group_members();
CREATE TRIGGER refuse_update BEFORE UPDATE OF school_id, person_id, group_id, role ON memberships
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();
