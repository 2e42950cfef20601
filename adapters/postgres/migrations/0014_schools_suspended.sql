-- The suspension of a school by the operator.

-- +goose Up
ALTER TABLE schools ADD COLUMN suspended_at timestamptz;
