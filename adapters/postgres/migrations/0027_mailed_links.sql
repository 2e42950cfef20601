-- Which sign-in links count toward the limits of emails to an address. Links that a previous release
-- has added count.

-- +goose Up
ALTER TABLE sign_in_links ADD COLUMN mailed boolean NOT NULL DEFAULT true;
