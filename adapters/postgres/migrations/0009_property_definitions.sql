-- The definitions of properties, and the properties of schools.

-- +goose Up
CREATE TABLE property_definitions (
    school_id  uuid        NOT NULL REFERENCES schools (id),
    id         uuid        NOT NULL,
    resource   text        COLLATE "C" NOT NULL,
    name       text        COLLATE "C" NOT NULL,
    key        text        COLLATE "C" NOT NULL, -- resource.name
    kind       text        COLLATE "C" NOT NULL,
    options    jsonb,                            -- an array of texts; null: none
    filterable boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (school_id, id),
    CONSTRAINT property_definitions_key UNIQUE (school_id, key)
);
CREATE INDEX property_definitions_by_creation ON property_definitions (school_id, created_at, id);

-- Here and in other tables, properties is an object of values by property name. property_folds is
-- an object with text.Fold of the values that are texts. Null means that there are no values.
ALTER TABLE schools ADD COLUMN properties jsonb, ADD COLUMN property_folds jsonb;
