-- The change feed (ADR 39).

-- +goose Up

-- The sequence of positions, which all schools share. A cached or cycling sequence would break the
-- order of the feeds.
CREATE SEQUENCE change_positions AS bigint CACHE 1 NO CYCLE;
SELECT nextval('change_positions'); -- so that the last value is never null

-- A row for each creation, update and deletion of a record. Triggers on the tables of the records
-- insert it. The table has no foreign key to schools, because its check would lock the row of the
-- school.
CREATE TABLE changes (
    school_id  uuid        NOT NULL,
    position   bigint      NOT NULL DEFAULT nextval('change_positions'),
    kind       text        COLLATE "C" NOT NULL, -- the type of the record
    record_id  text        COLLATE "C" NOT NULL, -- a UUID, or two joined by a colon
    action     text        COLLATE "C" NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    PRIMARY KEY (school_id, position)
);
CREATE INDEX changes_by_time ON changes (school_id, changed_at, position);

-- The start of the feed of a school. If a school has no row, none of its changes have been deleted.
CREATE TABLE change_feeds (
    school_id uuid   PRIMARY KEY REFERENCES schools (id),
    start     bigint NOT NULL -- the position of the last deleted change
);

-- A random ID that is part of the storage ID in cursors of change feeds. Replacing it makes all
-- cursors invalid.
CREATE TABLE change_epoch (id uuid NOT NULL);
INSERT INTO change_epoch VALUES (gen_random_uuid());

-- +goose StatementBegin
-- Returns the first key of the advisory lock that announces changes of a school.
CREATE FUNCTION change_lock(school uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN hashtextextended('lyceum changes ' || school::text, 0)::bit(32)::integer;

-- Announces that the transaction will take positions after the last one, until its end. It must run
-- before the first nextval of the transaction for the school. Transactions share the lock, so they
-- do not wait for each other. The second key of the lock is the low 32 bits of the last position.
CREATE FUNCTION announce_changes(school uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('lyceum.changes', true) IS DISTINCT FROM school::text THEN
        PERFORM pg_advisory_xact_lock_shared(change_lock(school),
            pg_sequence_last_value('change_positions')::bit(32)::integer);
        PERFORM set_config('lyceum.changes', school::text, true);
    END IF;
END
$$;

-- Returns the position up to which all changes of a school are visible to later statements. Changes
-- after it may be preceded by changes of a running transaction. The last position must be read
-- before the locks. A standby sees neither the locks nor the exact last position.
CREATE FUNCTION readable_changes(school uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    last   bigint;
    behind bigint;
BEGIN
    IF pg_is_in_recovery() THEN
        RAISE read_only_sql_transaction USING MESSAGE = 'the change feed cannot be read from a standby';
    END IF;
    last := pg_sequence_last_value('change_positions');
    SELECT max((last - l.objid::bigint) & 4294967295) INTO behind FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = change_lock(school)::oid
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
    RETURN last - coalesce(behind, 0);
END
$$;

-- Records inserted and deleted rows. The argument is the type of the records.
CREATE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(c.school_id) FROM (SELECT DISTINCT school_id FROM changed) c;
    INSERT INTO changes (school_id, kind, record_id, action)
    SELECT c.school_id, TG_ARGV[0], c.id, CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'deleted' END FROM changed c;
    RETURN NULL;
END
$$;

-- Records an updated row.
CREATE FUNCTION record_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(NEW.school_id);
    INSERT INTO changes (school_id, kind, record_id, action) VALUES (NEW.school_id, TG_ARGV[0], NEW.id, 'updated');
    RETURN NULL;
END
$$;

CREATE FUNCTION record_update_of_school() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(NEW.id);
    INSERT INTO changes (school_id, kind, record_id, action) VALUES (NEW.id, 'schools', NEW.id, 'updated');
    RETURN NULL;
END
$$;

-- Records the deletion of a course when it is hidden.
CREATE FUNCTION record_course_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(NEW.school_id);
    INSERT INTO changes (school_id, kind, record_id, action) VALUES (NEW.school_id, 'courses', NEW.id, 'deleted');
    RETURN NULL;
END
$$;

-- Records updates of courses and groups whose related records are added or removed. Deleted courses
-- and groups are excluded, because the same statement may also delete them, and the trigger of that
-- deletion can run first.
CREATE FUNCTION record_changes_of_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(c.school_id) FROM (SELECT DISTINCT school_id FROM changed) c;
    INSERT INTO changes (school_id, kind, record_id, action)
    SELECT DISTINCT c.school_id, 'courses', c.course_id::text, 'updated' FROM changed c
    WHERE EXISTS (SELECT FROM courses o WHERE o.school_id = c.school_id AND o.id = c.course_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION record_changes_of_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(c.school_id) FROM (SELECT DISTINCT school_id FROM changed) c;
    INSERT INTO changes (school_id, kind, record_id, action)
    SELECT DISTINCT c.school_id, 'groups', c.group_id::text, 'updated' FROM changed c
    WHERE EXISTS (SELECT FROM groups o WHERE o.school_id = c.school_id AND o.id = c.group_id);
    RETURN NULL;
END
$$;

-- Records inserted and deleted completions and answers, whose IDs have two parts.
CREATE FUNCTION record_changes_of_completions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(c.school_id) FROM (SELECT DISTINCT school_id FROM changed) c;
    INSERT INTO changes (school_id, kind, record_id, action)
    SELECT c.school_id, 'activity_completions', c.attempt_id || ':' || c.activity_id,
        CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'deleted' END FROM changed c;
    RETURN NULL;
END
$$;
CREATE FUNCTION record_changes_of_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(c.school_id) FROM (SELECT DISTINCT school_id FROM changed) c;
    INSERT INTO changes (school_id, kind, record_id, action)
    SELECT c.school_id, 'quiz_raw_answers', c.quiz_attempt_id || ':' || c.question_id,
        CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'deleted' END FROM changed c;
    RETURN NULL;
END
$$;
CREATE FUNCTION record_update_of_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(NEW.school_id);
    INSERT INTO changes (school_id, kind, record_id, action)
    VALUES (NEW.school_id, 'quiz_raw_answers', NEW.quiz_attempt_id || ':' || NEW.question_id, 'updated');
    RETURN NULL;
END
$$;
-- +goose StatementEnd
