package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// Each key is looked up by itself: a database that has no statistics yet, as in
// the middle of a first large import, would read the whole school for the list.
const (
	peopleByEmail = `SELECT r.* FROM unnest($2::text[]) k
		CROSS JOIN LATERAL (SELECT ` + personColumns + ` FROM people r
			WHERE r.school_id = $1 AND r.email_key = k COLLATE "C" OFFSET 0) r`
	groupsByName = `SELECT r.* FROM unnest($2::text[]) k
		CROSS JOIN LATERAL (SELECT id, name_key AS key FROM groups
			WHERE school_id = $1 AND name_key = k COLLATE "C" OFFSET 0) r`
	couponsByCode = `SELECT r.* FROM unnest($2::text[]) k
		CROSS JOIN LATERAL (SELECT id, code_key AS key FROM coupons
			WHERE school_id = $1 AND code_key = k COLLATE "C" OFFSET 0) r`
	coursesByPermalinks = `SELECT r.* FROM unnest($2::text[]) k
		CROSS JOIN LATERAL (SELECT id, permalink AS key FROM courses
			WHERE school_id = $1 AND permalink = k COLLATE "C" OFFSET 0) r`
)

// ByEmail returns who has these addresses.
func (c personRepo) ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error) {
	var rows []personRow
	if err := c.all(ctx, &rows, peopleByEmail, c.school, pq.Array(textKeys(emails))); err != nil {
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
	if err := c.all(ctx, &rows, statement, c.school, pq.Array(keys)); err != nil {
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
