-- A page of the enrollments of a course is one stretch of two indexes. Who learns
-- in a course are spread over the whole of both tables: to fetch each row cost two
-- or three pages for each, from the disk in a large school.

-- +goose Up

-- The order of the list, and with what is included all that it shows of a row.
DROP INDEX enrollments_by_course;
CREATE INDEX enrollments_by_course ON enrollments (school_id, course_id, created_at DESC, id)
    INCLUDE (person_id, role, updated_at);

-- The attempts of a course stand together, so there need be no other index on it.
ALTER TABLE course_attempts DROP CONSTRAINT course_attempts_number_key;
ALTER TABLE course_attempts ADD CONSTRAINT course_attempts_number_key
    UNIQUE (school_id, course_id, person_id, number) INCLUDE (id);
DROP INDEX course_attempts_by_course;
CREATE INDEX course_attempts_by_person ON course_attempts (school_id, person_id, id);

-- +goose Down

DROP INDEX course_attempts_by_person;
CREATE INDEX course_attempts_by_course ON course_attempts (school_id, course_id, id);
ALTER TABLE course_attempts DROP CONSTRAINT course_attempts_number_key;
ALTER TABLE course_attempts ADD CONSTRAINT course_attempts_number_key
    UNIQUE (school_id, person_id, course_id, number) INCLUDE (id);
DROP INDEX enrollments_by_course;
CREATE INDEX enrollments_by_course ON enrollments (school_id, course_id, created_at DESC, person_id) INCLUDE (role);
