-- The deletion of a person finds the rows of unfinished bulk requests about the person by the unique
-- key of the address. It reads no rows: a part can have more than a megabyte of them. The planner
-- keeps no statistics of the addresses (0039).

-- +goose Up
ALTER TABLE bulk_parts
    ADD COLUMN subjects jsonb, -- null if the part is finished
    ALTER COLUMN subjects SET STATISTICS 0;
