-- The actor on whose behalf a bulk job is applied: the API key of its request and the scope of the
-- key.

-- +goose Up
ALTER TABLE bulk_jobs ADD COLUMN key_id uuid, ADD COLUMN scope text COLLATE "C" NOT NULL DEFAULT 'admin';
