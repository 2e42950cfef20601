-- +goose Up

-- Partnerships are listed, the newest first.
CREATE INDEX partnerships_by_creation ON partnerships (school_id, created_at DESC, id);

-- +goose Down

DROP INDEX partnerships_by_creation;
