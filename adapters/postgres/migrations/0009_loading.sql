-- A load counts what it has added itself, and makes the standings of course
-- analytics, all at once at its end; in its transaction the setting
-- lyceum.counting is off.

-- +goose Up

DROP TRIGGER partnerships_added ON partnerships;
CREATE TRIGGER partnerships_added AFTER INSERT ON partnerships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION count_partnerships();
DROP TRIGGER enrollments_added ON enrollments;
CREATE TRIGGER enrollments_added AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION count_enrollments();
DROP TRIGGER memberships_added ON memberships;
CREATE TRIGGER memberships_added AFTER INSERT ON memberships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION count_memberships();
DROP TRIGGER enrollments_stand_added ON enrollments;
CREATE TRIGGER enrollments_stand_added AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION enrollments_stand();
DROP TRIGGER attempts_stand_added ON course_attempts;
CREATE TRIGGER attempts_stand_added AFTER INSERT ON course_attempts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION attempts_stand();

-- +goose Down

DROP TRIGGER attempts_stand_added ON course_attempts;
CREATE TRIGGER attempts_stand_added AFTER INSERT ON course_attempts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION attempts_stand();
DROP TRIGGER enrollments_stand_added ON enrollments;
CREATE TRIGGER enrollments_stand_added AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION enrollments_stand();

DROP TRIGGER memberships_added ON memberships;
CREATE TRIGGER memberships_added AFTER INSERT ON memberships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
DROP TRIGGER enrollments_added ON enrollments;
CREATE TRIGGER enrollments_added AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();
DROP TRIGGER partnerships_added ON partnerships;
CREATE TRIGGER partnerships_added AFTER INSERT ON partnerships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_partnerships();
