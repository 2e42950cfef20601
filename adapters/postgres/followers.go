package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/domain/change"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.FollowerRepo = followerRepo{}

type followerRow struct {
	School   uuid.UUID `db:"school_id"`
	Name     string    `db:"name"`
	Position int64     `db:"position"`
	Until    int64     `db:"until_position"`
}

func (r followerRow) follower() (change.Follower, error) {
	return change.Follower{School: school.ID{UUID: r.School}, Name: r.Name, Position: r.Position, Until: r.Until}, nil
}

const (
	addFollower         = `INSERT INTO followers (school_id, name, position, until_position) VALUES ($1, $2, $3, $4) `
	addFollowerIfAbsent = addFollower + `ON CONFLICT DO NOTHING`
	replaceFollower     = addFollower + `
		ON CONFLICT (school_id, name) DO UPDATE SET position = excluded.position, until_position = excluded.until_position`
	extendFollowers = `UPDATE followers SET until_position = $3 WHERE school_id = $1 AND name = ANY ($2::text[]) RETURNING name`
	moveFollower    = `UPDATE followers SET position = $5 WHERE school_id = $1 AND name = $2 AND position = $3 AND until_position = $4`
	deleteFollower  = `DELETE FROM followers WHERE school_id = $1 AND name = $2`

	// followersBehind looks up one change for each follower. The lookup is a scalar subquery, so
	// that PostgreSQL does not join the tables.
	followersBehind = `
		SELECT f.school_id, f.name, f.position, f.until_position FROM followers f -- of every school
		WHERE f.until_position > 0 OR f.name = ANY ($1::text[]) AND (
			SELECT c.position FROM changes c WHERE c.school_id = f.school_id AND c.position > f.position AND c.in_feed
			ORDER BY c.position LIMIT 1
		) IS NOT NULL
		UNION ALL
		SELECT s.id, n.name COLLATE "C", -1, 0 FROM schools s CROSS JOIN unnest($2::text[]) n (name)
		WHERE NOT EXISTS (SELECT FROM followers f WHERE f.school_id = s.id AND f.name = n.name)
		ORDER BY 1, 2`
)

// FollowersBehind implements ports.Schools.
func (r schools) FollowersBehind(ctx context.Context, names, everywhere []string) ([]change.Follower, error) {
	all := append(append([]string{}, names...), everywhere...)
	return getAll(ctx, r.session, followerRow.follower, followersBehind, pq.Array(all), pq.Array(append([]string{}, everywhere...)))
}

type followerRepo struct{ *session }

// Add implements ports.FollowerRepo.
func (r followerRepo) Add(ctx context.Context, f change.Follower) error {
	return r.write(ctx, replaceFollower, r.SchoolID, f.Name, f.Position, f.Until)
}

// AddIfAbsent implements ports.FollowerRepo.
func (r followerRepo) AddIfAbsent(ctx context.Context, f change.Follower) error {
	return r.write(ctx, addFollowerIfAbsent, r.SchoolID, f.Name, f.Position, f.Until)
}

// Extend implements ports.FollowerRepo.
func (r followerRepo) Extend(ctx context.Context, names []string, until int64) (extended []string, err error) {
	err = r.SelectRows(ctx, &extended, extendFollowers, r.SchoolID, pq.Array(names), until)
	return extended, err
}

// Move implements ports.FollowerRepo.
func (r followerRepo) Move(ctx context.Context, f change.Follower, to int64) (bool, error) {
	n, err := r.Exec(ctx, moveFollower, r.SchoolID, f.Name, f.Position, f.Until, to)
	return n == 1, err
}

// Delete implements ports.FollowerRepo.
func (r followerRepo) Delete(ctx context.Context, name string) error {
	return r.write(ctx, deleteFollower, r.SchoolID, name)
}
