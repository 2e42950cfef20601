-- The properties of groups.

-- +goose Up
ALTER TABLE groups ADD COLUMN properties jsonb, ADD COLUMN property_folds jsonb;
