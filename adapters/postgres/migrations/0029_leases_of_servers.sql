-- The server that took a lease, so that after a kill its next run takes it back
-- at once: the server's name, and the run of it. Both are NULL if no run can.

-- +goose Up

ALTER TABLE jobs ADD leased_by text, ADD leased_in uuid;

-- +goose Down

ALTER TABLE jobs DROP leased_in, DROP leased_by;
