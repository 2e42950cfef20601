-- The properties of people.

-- +goose Up
ALTER TABLE people ADD COLUMN properties jsonb, ADD COLUMN property_folds jsonb;
