-- The audit trail (ADR 46). A row of changes is also an audit event: the new columns say who made
-- the change. Their defaults read the setting lyceum.origin of the transaction: the type of the
-- actor, its ID, the person, the ID of the request and the address, separated by spaces.

-- +goose Up
ALTER TABLE changes
    ADD COLUMN in_feed    boolean NOT NULL DEFAULT true, -- false: only an audit event
    ADD COLUMN actor_type text COLLATE "C", -- null: unknown
    ADD COLUMN actor_id   uuid,
    ADD COLUMN person_id  uuid,
    ADD COLUMN request_id text COLLATE "C",
    ADD COLUMN address    text COLLATE "C"; -- null: unknown, not recorded or erased
ALTER TABLE changes
    ALTER COLUMN actor_type SET DEFAULT nullif(split_part(current_setting('lyceum.origin', true), ' ', 1), ''),
    ALTER COLUMN actor_id   SET DEFAULT nullif(split_part(current_setting('lyceum.origin', true), ' ', 2), '')::uuid,
    ALTER COLUMN person_id  SET DEFAULT nullif(split_part(current_setting('lyceum.origin', true), ' ', 3), '')::uuid,
    ALTER COLUMN request_id SET DEFAULT nullif(split_part(current_setting('lyceum.origin', true), ' ', 4), ''),
    ALTER COLUMN address    SET DEFAULT nullif(split_part(current_setting('lyceum.origin', true), ' ', 5), '');

-- +goose StatementBegin
-- Adds an audit event that is not a change.
CREATE FUNCTION record_audit(school uuid, kind text, record_id text, action text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_changes(school);
    INSERT INTO changes (school_id, kind, record_id, action, in_feed) VALUES ($1, $2, $3, $4, false);
END
$$;

-- Erases the addresses in the audit events of a person. It runs with the privileges of its owner,
-- so that the role of the server needs no privilege to update audit events.
CREATE FUNCTION erase_addresses(school uuid, person uuid) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
    UPDATE changes SET address = NULL WHERE school_id = school AND person_id = person AND address IS NOT NULL
$$;

-- Such a function must find its tables in a fixed schema.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION erase_addresses(uuid, uuid) SET search_path = pg_catalog, %I, pg_temp', current_schema());
END
$$;

-- The functions that record changes run for every write. An assignment costs less than PERFORM,
-- which runs a query. The condition in INSERT announces before the position of the row is taken.
CREATE OR REPLACE FUNCTION announce_changes(school uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ignored text;
BEGIN
    IF current_setting('lyceum.changes', true) IS DISTINCT FROM school::text THEN
        ignored := pg_advisory_xact_lock_shared(change_lock(school),
            pg_sequence_last_value('change_positions')::bit(32)::integer);
        ignored := set_config('lyceum.changes', school::text, true);
    END IF;
END
$$;
CREATE OR REPLACE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (school_id, kind, record_id, action)
    SELECT c.school_id, TG_ARGV[0], c.id, CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'deleted' END FROM changed c
    WHERE announce_changes(c.school_id) IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION record_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ignored text := announce_changes(NEW.school_id);
BEGIN
    INSERT INTO changes (school_id, kind, record_id, action) VALUES (NEW.school_id, TG_ARGV[0], NEW.id, 'updated');
    RETURN NULL;
END
$$;
-- +goose StatementEnd
