-- The number of a person's enrollments as a learner in courses that are being removed. Lists of
-- people call this function only while a school has such courses. If their statements contained
-- this query, the planner would plan it each time, which takes longer than most searches.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION enrollments_in_removal(school uuid, person uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM enrollments e
        WHERE e.school_id = school AND e.person_id = person AND e.role = 'learner' AND e.course_id IN (
            SELECT h.id FROM all_courses h WHERE h.school_id = school AND h.removed_at IS NOT NULL
        )
    );
END
$$;
-- +goose StatementEnd
