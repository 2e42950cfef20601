-- Which sign-in links are sent only to people of the school. Links that a previous release has added
-- are sent to strangers too.

-- +goose Up
ALTER TABLE sign_in_links ADD COLUMN for_known boolean NOT NULL DEFAULT false;
