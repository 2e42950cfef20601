-- Groups, their courses and their memberships.

-- +goose Up

CREATE TABLE groups (
    school_id        uuid        NOT NULL REFERENCES schools (id),
    id               uuid        NOT NULL,
    name             text        NOT NULL,
    name_key         text        COLLATE "C" NOT NULL,
    name_fold        text        COLLATE "C" NOT NULL,
    enroll_token     text        COLLATE "C" NOT NULL,
    membership_count bigint      NOT NULL DEFAULT 0,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT groups_name_key UNIQUE (school_id, name_key)
) WITH (fillfactor = 70);
CREATE INDEX groups_by_name ON groups (school_id, name_fold, id);
CREATE INDEX groups_name_words ON groups USING gin (name_fold gin_trgm_ops);

-- What groups.membership_count lacks: changes by transactions that found the
-- group's row in use. The count of a group is the sum of both. A reference to
-- the group would have to be checked, and so would wait for whoever has locked
-- the group and is going to lock people; the store removes what is left here
-- with the group.
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
    FOREIGN KEY (school_id, course_id) REFERENCES courses (school_id, id)
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
    CONSTRAINT memberships_place_key UNIQUE (school_id, person_id, role, group_id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id),
    FOREIGN KEY (school_id, group_id) REFERENCES groups (school_id, id)
);
CREATE INDEX memberships_by_creation ON memberships (school_id, group_id, created_at DESC, id);
CREATE INDEX memberships_by_role ON memberships (school_id, group_id, role, person_id);

-- +goose StatementBegin
-- Keeps people.group_count and the counts of groups, for every writer, as
-- count_enrollments keeps those of enrollments: people are locked in the order
-- of their ids, a group's row is never waited for.
CREATE FUNCTION count_memberships() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    step   integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    tenant uuid;
    held   uuid[];
BEGIN
    FOR tenant IN SELECT DISTINCT school_id FROM changed WHERE role = 'member' LOOP
        UPDATE people p SET group_count = p.group_count + step * l.groups
        FROM (
            SELECT q.id, n.groups
            FROM (
                SELECT m.person_id, count(*)::integer AS groups FROM changed m
                WHERE m.school_id = tenant AND m.role = 'member' GROUP BY m.person_id
            ) n
            JOIN people q ON q.school_id = tenant AND q.id = n.person_id
            ORDER BY q.id FOR NO KEY UPDATE OF q
        ) l
        WHERE p.school_id = tenant AND p.id = l.id;

        SELECT coalesce(array_agg(l.id), '{}') INTO held
        FROM (
            SELECT g.id FROM groups g
            WHERE g.school_id = tenant AND g.id IN (
                SELECT m.group_id FROM changed m WHERE m.school_id = tenant AND m.role = 'member'
            )
            ORDER BY g.id FOR NO KEY UPDATE SKIP LOCKED
        ) l;

        WITH left_over AS (
            DELETE FROM group_count_deltas d
            WHERE d.school_id = tenant AND d.group_id = ANY (held)
            RETURNING d.group_id, d.delta
        )
        UPDATE groups g SET membership_count = g.membership_count + n.delta
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
        WHERE g.school_id = tenant AND g.id = n.group_id;

        INSERT INTO group_count_deltas (school_id, group_id, delta)
        SELECT tenant, m.group_id, step * count(*) FROM changed m
        WHERE m.school_id = tenant AND m.role = 'member' AND m.group_id <> ALL (held)
        GROUP BY m.group_id;
    END LOOP;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER memberships_added AFTER INSERT ON memberships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
CREATE TRIGGER memberships_removed AFTER DELETE ON memberships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
CREATE TRIGGER memberships_stay BEFORE UPDATE OF school_id, person_id, group_id, role ON memberships
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_move();

-- +goose Down

DROP TABLE memberships, group_courses, group_count_deltas, groups;
DROP FUNCTION count_memberships();
UPDATE people SET group_count = 0 WHERE group_count <> 0;
