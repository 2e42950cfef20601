-- The uses of coupons. coupons.usages_count is not the number of these rows: it
-- counts uses elsewhere too, and those of people who have been deleted.

-- +goose Up

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

-- +goose Down

DROP TABLE redemptions;
