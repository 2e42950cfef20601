package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

var (
	peopleByEmail       = `SELECT r.* FROM ` + pgdb.ByKey("people", personColumns, "email_key", "$2::text[]", "LIMIT 1")
	groupsByName        = `SELECT r.* FROM ` + pgdb.ByKey("groups", "r.id, r.name_key AS key", "name_key", "$2::text[]", "LIMIT 1")
	couponsByCode       = `SELECT r.* FROM ` + pgdb.ByKey("coupons", "r.id, r.code_key AS key", "code_key", "$2::text[]", "LIMIT 1")
	coursesByPermalinks = `SELECT r.* FROM ` + pgdb.ByKey("courses", "r.id, r.permalink AS key", "permalink", "$2::text[]", "LIMIT 1")
)

// ByEmail returns who has these addresses.
func (c personRepo) ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error) {
	var rows []personRow
	if err := c.AllKeyed(ctx, len(emails), &rows, peopleByEmail, c.SchoolID, pq.Array(textKeys(emails))); err != nil {
		return nil, err
	}
	found := make(map[string]person.Person, len(rows))
	for _, r := range rows {
		found[text.Key(r.Email)] = person.Restore(r.state())
	}
	return found, nil
}

// ByName returns the ids of the groups with these names.
func (c groupRepo) ByName(ctx context.Context, names []string) (map[string]group.ID, error) {
	return lookUp(ctx, c.session, groupsByName, textKeys(names), func(id uuid.UUID) group.ID { return group.ID{UUID: id} })
}

// ByCode returns the ids of the coupons with these codes.
func (c couponRepo) ByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error) {
	return lookUp(ctx, c.session, couponsByCode, textKeys(codes), func(id uuid.UUID) coupon.ID { return coupon.ID{UUID: id} })
}

// ByPermalinks returns the ids of the courses with these permalinks.
func (c courseRepo) ByPermalinks(ctx context.Context, permalinks []string) (map[string]course.ID, error) {
	return lookUp(ctx, c.session, coursesByPermalinks, readable(permalinks), func(id uuid.UUID) course.ID { return course.ID{UUID: id} })
}

// lookUp returns what the statement, which takes the school and the keys, finds
// by key.
func lookUp[ID any](
	ctx context.Context, c *session, statement string, keys []string, toID func(uuid.UUID) ID,
) (map[string]ID, error) {
	var rows []struct {
		ID  uuid.UUID `db:"id"`
		Key string    `db:"key"`
	}
	if err := c.AllKeyed(ctx, len(keys), &rows, statement, c.SchoolID, pq.Array(keys)); err != nil {
		return nil, err
	}
	found := make(map[string]ID, len(rows))
	for _, r := range rows {
		found[r.Key] = toID(r.ID)
	}
	return found, nil
}

// textKeys returns the text.Key of each of texts that the database can read.
func textKeys(texts []string) []string {
	keys := readable(texts)
	for i, t := range keys {
		keys[i] = text.Key(t)
	}
	return keys
}

// readable returns those of texts that the database can read; it has no others.
func readable(texts []string) []string {
	kept := make([]string, 0, len(texts))
	for _, t := range texts {
		if text.Clean("", t) == nil {
			kept = append(kept, t)
		}
	}
	return kept
}
