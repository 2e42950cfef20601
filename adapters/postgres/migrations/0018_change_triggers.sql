-- +goose NO TRANSACTION

-- The triggers that write the change feed. Each statement waits only for the writers of one table
-- and can be repeated. Statements that update only counts do not set updated_at. Two updates can
-- have the same time, so the triggers compare whole rows.

-- +goose Up

CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON people
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('people');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON people
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('people');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON people
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('people');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON partnerships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('partnerships');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON partnerships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('partnerships');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON all_courses
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('courses');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON all_courses
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('courses');
-- For readers of the feed, a course is deleted as soon as it is hidden.
CREATE OR REPLACE TRIGGER remove_9_changes AFTER UPDATE OF removed_at ON all_courses
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION record_course_removal();
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON categories
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('categories');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON categories
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('categories');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON categories
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('categories');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON groups
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('groups');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON groups
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('groups');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON groups
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('groups');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON memberships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('memberships');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON memberships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('memberships');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON memberships
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('memberships');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON enrollments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('enrollments');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON enrollments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('enrollments');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON enrollments
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('enrollments');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON coupons
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('coupons');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON coupons
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('coupons');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON coupons
    FOR EACH ROW WHEN ((to_jsonb(OLD) - 'usages_count') IS DISTINCT FROM (to_jsonb(NEW) - 'usages_count')) EXECUTE FUNCTION record_update('coupons');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON redemptions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('coupon_redemptions');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON redemptions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('coupon_redemptions');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON quizzes
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('quizzes');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON quizzes
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('quizzes');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON quizzes
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('quizzes');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON assignments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('assignments');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON assignments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('assignments');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON assignments
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('assignments');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON activities
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('activities');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON activities
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('activities');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON activities
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('activities');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON quiz_attempts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('quiz_attempts');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON quiz_attempts
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('quiz_attempts');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE ON quiz_attempts
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('quiz_attempts');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON submissions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('assignment_submissions');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON submissions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('assignment_submissions');
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON property_definitions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('property_definitions');
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON property_definitions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes('property_definitions');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON property_definitions
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update('property_definitions');
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE OF updated_at ON schools
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update_of_school();
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON completions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_completions();
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON completions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_completions();
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON quiz_answers
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_answers();
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON quiz_answers
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_answers();
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON course_categories
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_courses();
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON course_categories
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_courses();
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON course_instructors
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_courses();
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON course_instructors
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_courses();
CREATE OR REPLACE TRIGGER insert_9_changes AFTER INSERT ON group_courses
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_groups();
CREATE OR REPLACE TRIGGER delete_9_changes AFTER DELETE ON group_courses
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_changes_of_groups();
CREATE OR REPLACE TRIGGER update_9_changes AFTER UPDATE ON quiz_answers
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_update_of_answer();
