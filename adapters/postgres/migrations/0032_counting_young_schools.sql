-- The functions of the triggers find people, places and standings by their keys
-- whatever the planner knows of the school (ADR 30): rows are looked up in the order of
-- a key, while sorting is off, so that only the index of the key serves. Rows that
-- are locked are then changed by their place in the table, which nobody else
-- changes while the lock is held, by a statement of its own, which sees what was
-- committed before the lock was taken. What the functions do is the same as before.

-- +goose Up

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_enrollments() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    step   integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    tenant uuid;
    held   uuid[];
BEGIN
    FOR tenant IN SELECT DISTINCT school_id FROM changed WHERE role = 'learner' LOOP
        PERFORM FROM (
            SELECT DISTINCT e.person_id FROM changed e
            WHERE e.school_id = tenant AND e.role = 'learner' ORDER BY e.person_id
        ) n
        CROSS JOIN LATERAL (
            SELECT FROM people q WHERE q.school_id = tenant AND q.id BETWEEN n.person_id AND n.person_id
            ORDER BY q.id LIMIT 1 FOR NO KEY UPDATE
        ) q;

        UPDATE people p SET course_count = p.course_count + step * l.courses
        FROM (
            SELECT q.place, n.courses
            FROM (
                SELECT e.person_id, count(*)::integer AS courses FROM changed e
                WHERE e.school_id = tenant AND e.role = 'learner' GROUP BY e.person_id
            ) n
            CROSS JOIN LATERAL (
                SELECT q.ctid AS place FROM people q
                WHERE q.school_id = tenant AND q.id BETWEEN n.person_id AND n.person_id ORDER BY q.id LIMIT 1
            ) q
        ) l
        WHERE p.ctid = l.place;

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

CREATE OR REPLACE FUNCTION count_memberships() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    step   integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    tenant uuid;
    held   uuid[];
BEGIN
    FOR tenant IN SELECT DISTINCT school_id FROM changed WHERE role = 'member' LOOP
        PERFORM FROM (
            SELECT DISTINCT m.person_id FROM changed m
            WHERE m.school_id = tenant AND m.role = 'member' ORDER BY m.person_id
        ) n
        CROSS JOIN LATERAL (
            SELECT FROM people q WHERE q.school_id = tenant AND q.id BETWEEN n.person_id AND n.person_id
            ORDER BY q.id LIMIT 1 FOR NO KEY UPDATE
        ) q;

        UPDATE people p SET group_count = p.group_count + step * l.groups
        FROM (
            SELECT q.place, n.groups
            FROM (
                SELECT m.person_id, count(*)::integer AS groups FROM changed m
                WHERE m.school_id = tenant AND m.role = 'member' GROUP BY m.person_id
            ) n
            CROSS JOIN LATERAL (
                SELECT q.ctid AS place FROM people q
                WHERE q.school_id = tenant AND q.id BETWEEN n.person_id AND n.person_id ORDER BY q.id LIMIT 1
            ) q
        ) l
        WHERE p.ctid = l.place;

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

CREATE OR REPLACE FUNCTION count_partnerships() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM FROM (
        SELECT DISTINCT e.school_id, e.person_id FROM changed e ORDER BY e.school_id, e.person_id
    ) n
    CROSS JOIN LATERAL (
        SELECT FROM people q WHERE q.school_id = n.school_id AND q.id BETWEEN n.person_id AND n.person_id
        ORDER BY q.id LIMIT 1 FOR NO KEY UPDATE
    ) q;

    UPDATE people p SET partnership_count = p.partnership_count + step * l.roles
    FROM (
        SELECT q.place, n.roles
        FROM (
            SELECT e.school_id, e.person_id, count(*)::integer AS roles FROM changed e
            GROUP BY e.school_id, e.person_id
        ) n
        CROSS JOIN LATERAL (
            SELECT q.ctid AS place FROM people q
            WHERE q.school_id = n.school_id AND q.id BETWEEN n.person_id AND n.person_id ORDER BY q.id LIMIT 1
        ) q
    ) l
    WHERE p.ctid = l.place;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION enrollments_stand() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
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
        DELETE FROM course_standings s USING (
            SELECT o.place FROM changed e CROSS JOIN LATERAL (
                SELECT o.ctid AS place FROM course_standings o
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

CREATE OR REPLACE FUNCTION attempts_stand() RETURNS trigger LANGUAGE plpgsql
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

    DELETE FROM course_standings s USING (
        SELECT o.place FROM changed a CROSS JOIN LATERAL (
            SELECT o.ctid AS place FROM course_standings o
            WHERE o.school_id = a.school_id AND o.person_id BETWEEN a.person_id AND a.person_id
                AND o.course_id = a.course_id
                AND o.attempt_or_none = CASE TG_OP WHEN 'INSERT' THEN none ELSE a.id END
            ORDER BY o.person_id OFFSET 0
        ) o
    ) l
    WHERE s.ctid = l.place;

    IF TG_OP = 'INSERT' THEN
        INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
        SELECT a.school_id, a.person_id, a.course_id, a.id, e.created_at
        FROM changed a CROSS JOIN LATERAL (
            SELECT e.created_at FROM enrollments e
            WHERE e.school_id = a.school_id AND e.person_id BETWEEN a.person_id AND a.person_id
                AND e.role = 'learner' AND e.course_id = a.course_id
            ORDER BY e.person_id LIMIT 1
        ) e;
    ELSE
        INSERT INTO course_standings (school_id, person_id, course_id, attempt_or_none, enrolled_at)
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

-- +goose Down

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_enrollments() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION count_memberships() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION count_partnerships() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION enrollments_stand() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION attempts_stand() RETURNS trigger LANGUAGE plpgsql
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
