-- On whose behalf bulk jobs are applied: rules get the key and its scope.

-- +goose Up
ALTER TABLE bulk_jobs ADD COLUMN key_id uuid, ADD COLUMN scope text COLLATE "C" NOT NULL DEFAULT 'admin';
