-- The deletion of a person erases the addresses in the audit events of the person in batches. The
-- index contains only the events whose address is not erased, so that no batch reads the events of
-- the earlier ones.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS changes_with_address;
CREATE INDEX CONCURRENTLY changes_with_address ON changes (school_id, person_id) WHERE address IS NOT NULL AND person_id IS NOT NULL;

-- +goose StatementBegin
-- Erases the addresses in at most most audit events of a person, or in all of them if most is null,
-- and returns their number. It runs with the privileges of its owner, like the function of the same
-- name with two parameters, which the previous release calls.
CREATE OR REPLACE FUNCTION erase_addresses(school uuid, person uuid, most integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    erased bigint;
BEGIN
    UPDATE changes SET address = NULL WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM changes WHERE school_id = school AND person_id = person AND address IS NOT NULL LIMIT most));
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END
$$;

-- Such a function must find its tables in a fixed schema.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION erase_addresses(uuid, uuid, integer) SET search_path = pg_catalog, %I, pg_temp', current_schema());
END
$$;
-- +goose StatementEnd
