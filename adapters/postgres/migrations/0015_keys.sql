-- What keys may do, and until when. Those from before may do everything, for
-- ever, as they always could.

-- +goose Up

ALTER TABLE api_keys
    ADD COLUMN scope      text        COLLATE "C" NOT NULL DEFAULT 'admin',
    ADD COLUMN expires_at timestamptz;
ALTER TABLE api_keys ALTER COLUMN scope DROP DEFAULT;

-- +goose Down

-- A key without its bounds could do more than before: those that have any are
-- closed.
UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE scope <> 'admin' OR expires_at IS NOT NULL;
ALTER TABLE api_keys DROP COLUMN scope, DROP COLUMN expires_at;
