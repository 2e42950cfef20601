-- The deletion of a person erases the addresses in the audit events of the person. A transaction of
-- the person that is not committed yet would add an address afterwards.

-- +goose Up
-- +goose StatementBegin
-- Omits the address of an audit event if the person does not exist, or no longer. The lock makes the
-- event and the deletion of the person wait for each other.
CREATE FUNCTION omit_address_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM people WHERE school_id = NEW.school_id AND id = NEW.person_id FOR KEY SHARE;
    IF NOT FOUND THEN
        NEW.address := NULL;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER changes_address BEFORE INSERT ON changes FOR EACH ROW
    WHEN (NEW.address IS NOT NULL AND NEW.person_id IS NOT NULL) EXECUTE FUNCTION omit_address_of_deleted();
