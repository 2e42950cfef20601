-- Coupons and their redemptions.

-- +goose Up

CREATE TABLE coupons (
    school_id      uuid           NOT NULL REFERENCES schools (id),
    id             uuid           NOT NULL,
    code           text           NOT NULL,
    code_key       text           COLLATE "C" NOT NULL,
    code_fold      text           COLLATE "C" NOT NULL,
    currency_code  text           COLLATE "C" NOT NULL,
    enabled        boolean        NOT NULL,
    start_on       date           NOT NULL,
    end_on         date,
    format         text           COLLATE "C" NOT NULL,
    value          numeric(14, 4) NOT NULL,
    usages_count   bigint         NOT NULL,
    maximum_usages bigint         NOT NULL,
    created_at     timestamptz    NOT NULL,
    updated_at     timestamptz    NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT coupons_code_key UNIQUE (school_id, code_key)
);
CREATE INDEX coupons_by_code ON coupons (school_id, code_fold, id);
CREATE INDEX coupons_code_words ON coupons USING gin (code_fold gin_trgm_ops);

-- coupons.usages_count is not the number of these rows: it includes redemptions outside of this
-- server and redemptions by deleted people.
CREATE TABLE redemptions (
    school_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    coupon_id  uuid        NOT NULL,
    person_id  uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    FOREIGN KEY (school_id, coupon_id) REFERENCES coupons (school_id, id),
    FOREIGN KEY (school_id, person_id) REFERENCES people (school_id, id)
);
CREATE INDEX redemptions_by_creation ON redemptions (school_id, created_at DESC, id);
CREATE INDEX redemptions_by_coupon ON redemptions (school_id, coupon_id, created_at DESC, id);
CREATE INDEX redemptions_by_person ON redemptions (school_id, person_id, created_at DESC, id);
