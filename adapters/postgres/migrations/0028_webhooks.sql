-- Webhooks, and the positions of the programs in this server that follow the change feeds.

-- +goose Up
CREATE TABLE followers (
    school_id      uuid   NOT NULL REFERENCES schools (id),
    name           text   COLLATE "C" NOT NULL,
    position       bigint NOT NULL, -- the last change that was processed
    until_position bigint NOT NULL, -- the last change to process; 0: the follower never ends
    PRIMARY KEY (school_id, name)
);

-- The secrets are encrypted by the server.
CREATE TABLE webhook_endpoints (
    school_id     uuid        NOT NULL REFERENCES schools (id),
    id            uuid        NOT NULL,
    url           text        NOT NULL,
    types         text[]      NOT NULL,
    description   text        NOT NULL,
    enabled       boolean     NOT NULL,
    disabled      text        NOT NULL, -- why the server has disabled the endpoint; blank: it has not
    secret        text        NOT NULL,
    old_secret    text        NOT NULL,
    old_until     timestamptz,
    failing_since timestamptz,
    unanswered    integer     NOT NULL,
    paused_until  timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (school_id, id)
);

CREATE TABLE webhook_deliveries (
    school_id       uuid        NOT NULL,
    id              uuid        NOT NULL,
    endpoint_id     uuid        NOT NULL,
    position        bigint      NOT NULL, -- of the change; 0: a ping
    status          text        COLLATE "C" NOT NULL,
    attempts        integer     NOT NULL,
    last_status     integer     NOT NULL, -- 0: no response
    last_error      text        NOT NULL,
    duration        bigint      NOT NULL, -- of the last attempt, in milliseconds
    created_at      timestamptz NOT NULL,
    queued_at       timestamptz NOT NULL,
    last_attempt_at timestamptz,
    next_attempt_at timestamptz, -- null unless the delivery is pending
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, endpoint_id) REFERENCES webhook_endpoints (school_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX webhook_deliveries_by_change ON webhook_deliveries (school_id, endpoint_id, position) WHERE position > 0;
CREATE INDEX webhook_deliveries_by_creation ON webhook_deliveries (school_id, created_at DESC, id);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (school_id, endpoint_id, created_at DESC, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (school_id, endpoint_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at); -- to delete old deliveries of all schools
