-- Which rows a part has, beside what they say: a part whose rows cannot be read
-- is given up, and its rows fail by their numbers.

-- +goose Up

-- The default is for programs that do not know the columns yet.
ALTER TABLE bulk_parts
    ADD COLUMN first_row integer NOT NULL DEFAULT 0,
    ADD COLUMN row_count integer NOT NULL DEFAULT 0;
-- The parts that there are have been cut into 100 people or 25 groups.
UPDATE bulk_parts p SET first_row = p.number * s.rows, row_count = least(s.rows, j.rows_total - p.number * s.rows)
FROM bulk_jobs j JOIN (VALUES ('people', 100), ('groups', 25)) s (kind, rows) ON s.kind = j.kind
WHERE j.school_id = p.school_id AND j.id = p.job_id;

-- +goose Down

ALTER TABLE bulk_parts DROP COLUMN first_row, DROP COLUMN row_count;
