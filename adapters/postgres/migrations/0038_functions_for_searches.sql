-- Functions for searches of people. A search is planned at each execution, and planning a subquery
-- takes longer than calling a function that has the same subquery. Statements that are prepared
-- contain the subqueries, because their plans are kept.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION partnerships_of(school uuid, person uuid) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ARRAY (SELECT k.id FROM partnerships k WHERE k.school_id = school AND k.person_id = person ORDER BY k.id);
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION is_removing_courses(school uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM all_courses h WHERE h.school_id = school AND h.removed_at IS NOT NULL);
END
$$;
-- +goose StatementEnd
