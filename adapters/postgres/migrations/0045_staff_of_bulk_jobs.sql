-- The person of the staff who sent a bulk job in the teaching app. Its waiting rows fail if the role of
-- the person ends. The ID remains after the deletion of the person, so it is not a foreign key.

-- +goose Up
ALTER TABLE bulk_jobs ADD COLUMN staff_id uuid;
