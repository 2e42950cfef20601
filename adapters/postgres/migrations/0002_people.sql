-- People, their partnerships and invitations, and the functions that count per person.

-- +goose Up

-- Triggers on enrollments, memberships and partnerships maintain the counts.
CREATE TABLE people (
    school_id         uuid        NOT NULL REFERENCES schools (id),
    id                uuid        NOT NULL,
    email             text        NOT NULL,
    email_key         text        COLLATE "C" NOT NULL,
    email_fold        text        COLLATE "C" NOT NULL,
    first_name        text        NOT NULL,
    first_name_fold   text        COLLATE "C" NOT NULL,
    last_name         text        NOT NULL,
    last_name_fold    text        COLLATE "C" NOT NULL,
    full_name         text        NOT NULL,
    full_name_fold    text        COLLATE "C" NOT NULL,
    avatar_url        text,
    avatar_url_fold   text        COLLATE "C",
    activated_at      timestamptz,
    unsubscribed      boolean     NOT NULL,
    course_count      integer     NOT NULL DEFAULT 0, -- courses in which the person is a learner
    group_count       integer     NOT NULL DEFAULT 0, -- groups in which the person is a member
    partnership_count integer     NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT people_email_key UNIQUE (school_id, email_key)
) WITH (fillfactor = 90);
CREATE INDEX people_by_name ON people (school_id, full_name_fold, id);
CREATE INDEX people_by_email ON people (school_id, email_fold, id);
CREATE INDEX people_by_creation ON people (school_id, created_at, id);
CREATE INDEX people_by_change ON people (school_id, updated_at);
CREATE INDEX people_name_words ON people USING gin (full_name_fold gin_trgm_ops);
CREATE INDEX people_email_words ON people USING gin (email_fold gin_trgm_ops);
-- For filters that match few rows.
CREATE INDEX people_by_first_name ON people (school_id, first_name_fold);
CREATE INDEX people_by_last_name ON people (school_id, last_name_fold);
CREATE INDEX people_by_activation ON people (school_id, activated_at);
CREATE INDEX people_with_avatars ON people (school_id) WHERE avatar_url IS NOT NULL;
CREATE INDEX people_unsubscribed ON people (school_id) WHERE unsubscribed;

-- +goose StatementBegin
-- Adds inserted rows of enrollments, memberships and partnerships to a count of people, and
-- subtracts deleted rows. The arguments are the column of people and, if only one role
-- counts, that role.
--
-- People are locked in the order of their IDs, so that two statements that count for
-- several people cannot deadlock. They are then updated by ctid, which cannot change while
-- they are locked. The update is a separate statement, which sees everything committed
-- before the locks.
--
-- People are looked up by a range of one ID in the order of the IDs, with sorting off: only
-- the index of the primary key has that order, so missing statistics cannot make the
-- planner choose another one (ADR 30). The functions below do the same.
CREATE FUNCTION count_people() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off SET enable_seqscan = off AS $$
DECLARE
    counter text    := TG_ARGV[0];
    counted text    := TG_ARGV[1]; -- null: every role
    step    integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM FROM (
        SELECT DISTINCT c.school_id, c.person_id FROM changed c
        WHERE counted IS NULL OR c.role = counted
        ORDER BY c.school_id, c.person_id
    ) n
    CROSS JOIN LATERAL (
        SELECT FROM people q WHERE q.school_id = n.school_id AND q.id BETWEEN n.person_id AND n.person_id
        ORDER BY q.id LIMIT 1 FOR NO KEY UPDATE
    ) q;

    -- An unchanged column costs nothing: the row is written once.
    UPDATE people p SET
        course_count = p.course_count + CASE counter WHEN 'course_count' THEN l.delta ELSE 0 END,
        group_count = p.group_count + CASE counter WHEN 'group_count' THEN l.delta ELSE 0 END,
        partnership_count = p.partnership_count + CASE counter WHEN 'partnership_count' THEN l.delta ELSE 0 END
    FROM (
        SELECT q.place, n.delta
        FROM (
            SELECT c.school_id, c.person_id, step * count(*)::integer AS delta FROM changed c
            WHERE counted IS NULL OR c.role = counted
            GROUP BY c.school_id, c.person_id
        ) n
        CROSS JOIN LATERAL (
            SELECT q.ctid AS place FROM people q
            WHERE q.school_id = n.school_id AND q.id BETWEEN n.person_id AND n.person_id ORDER BY q.id LIMIT 1
        ) q
    ) l
    WHERE p.ctid = l.place;
    RETURN NULL;
END
$$;

-- Derived data follows only insertions and deletions, so its source columns cannot change.
CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'columns of % that derived data follows from cannot change', TG_TABLE_NAME;
END
$$;
-- +goose StatementEnd

CREATE TABLE partnerships (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    role       text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT partnerships_role_key UNIQUE (school_id, person_id, role),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);
CREATE INDEX partnerships_by_creation ON partnerships (school_id, created_at DESC, id);

-- Here and below, the triggers of one event run in the order of their names. The triggers
-- on INSERT do nothing in a bulk load, which sets lyceum.counting to off and computes all
-- derived data at its end.
CREATE TRIGGER insert_1_people AFTER INSERT ON partnerships
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (current_setting('lyceum.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION count_people('partnership_count');
CREATE TRIGGER delete_1_people AFTER DELETE ON partnerships
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION count_people('partnership_count');
CREATE TRIGGER refuse_update BEFORE UPDATE OF school_id, person_id, role ON partnerships
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();

CREATE TABLE invitations (
    school_id    uuid        NOT NULL,
    person_id    uuid        NOT NULL,
    message_id   uuid        NOT NULL,
    requested_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, person_id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);

-- Only the SHA-256 of a link's token is stored. A link is looked up before the school is
-- known, so the index of the hash does not include the school.
CREATE TABLE invitation_links (
    school_id  uuid        NOT NULL,
    hash       bytea       NOT NULL,
    person_id  uuid        NOT NULL,
    message_id uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, hash),
    FOREIGN KEY (school_id, person_id) REFERENCES invitations (school_id, person_id)
);
CREATE UNIQUE INDEX invitation_links_by_hash ON invitation_links (hash);
CREATE INDEX invitation_links_by_person ON invitation_links (school_id, person_id);

-- The number of invitation emails that a school has sent since started_at, and below the
-- last one to each address. They refer to no person, so that deleting and creating a person
-- again does not evade the limits.
CREATE TABLE invitation_days (
    school_id  uuid        PRIMARY KEY REFERENCES schools (id),
    started_at timestamptz NOT NULL,
    messages   integer     NOT NULL
);

CREATE TABLE invitation_deliveries (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    address    bytea       NOT NULL, -- hash of the email address
    message_id uuid        NOT NULL,
    sent_at    timestamptz NOT NULL,
    PRIMARY KEY (school_id, address)
);
CREATE INDEX invitation_deliveries_by_time ON invitation_deliveries (sent_at);
