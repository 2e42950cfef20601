-- The content of activities: the address of a video, and a text in Markdown, which every kind may have.

-- +goose Up
ALTER TABLE activities ADD COLUMN video_url text NOT NULL DEFAULT '', ADD COLUMN text text NOT NULL DEFAULT '';
