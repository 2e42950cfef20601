-- An answer that showed the secret of an API key was kept encrypted (sealed). A
-- repeat of such a request is now answered 409, and that answer is what is kept.
-- The column sealed stays until the baseline, since a server of the release
-- before writes it.

-- +goose Up

UPDATE replays SET sealed = false, status = 409, content_type = 'application/json; charset=utf-8', etag = '', location = '',
    body = convert_to('{"errors":[{"status":"409","title":"Conflict",'
        || '"detail":"The secret was shown in the first answer to this Idempotency-Key and is not shown again",'
        || '"source":{"header":"Idempotency-Key"},'
        || '"meta":{"original":{"type":"api_keys","uuid":"' || right(location, 36) || '"}}}]}', 'UTF8')
WHERE sealed;

-- +goose Down
