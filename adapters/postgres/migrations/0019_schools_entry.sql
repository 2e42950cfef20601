-- The addresses of schools and the rules of entry to their academies.
--
-- A school gets the slug of its name. The ID makes the slugs of equal names unique. The
-- expression is close to text.Slugify, which computes the slugs of new schools. The
-- default is for servers of the previous release, which do not know slugs.

-- +goose Up
ALTER TABLE schools
    ADD COLUMN slug              text    COLLATE "C" NOT NULL DEFAULT 'school-' || replace(gen_random_uuid()::text, '-', ''),
    ADD COLUMN public_covers     boolean NOT NULL DEFAULT false,
    ADD COLUMN admits_new_people boolean NOT NULL DEFAULT false,
    ADD COLUMN entry_secret      text    NOT NULL DEFAULT '',
    ADD COLUMN sso_issuer        text    NOT NULL DEFAULT '',
    ADD COLUMN sso_client_id     text    NOT NULL DEFAULT '',
    ADD COLUMN sso_client_secret text    NOT NULL DEFAULT '';

WITH slugs AS (
    SELECT id, coalesce(nullif(rtrim(left(trim(both '-' FROM regexp_replace(
        regexp_replace(name_fold, '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 70), '-'), ''), 'school') AS slug
    FROM schools
)
UPDATE schools s SET slug = n.slug || CASE
    WHEN (SELECT count(*) FROM slugs o WHERE o.slug = n.slug) > 1 THEN '-' || left(s.id::text, 8) ELSE '' END
FROM slugs n WHERE n.id = s.id;
