-- The content of activities: the address of a video, and a Markdown text, which every kind can
-- have.

-- +goose Up
ALTER TABLE activities ADD COLUMN video_url text NOT NULL DEFAULT '', ADD COLUMN text text NOT NULL DEFAULT '';
