package postgres_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// used adds redemptions to a school: 30,000 of one coupon and two of each other coupon.
const used = `
	WITH who AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM people WHERE school_id = $1),
	what AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM coupons WHERE school_id = $1)
	INSERT INTO redemptions (school_id, id, coupon_id, person_id, created_at)
	SELECT $1, gen_random_uuid(), c.id, w.id, now() - w.n * interval '1 minute'
	FROM who w JOIN what c ON c.n = CASE WHEN w.n % 2 = 0 THEN 1 ELSE 1 + w.n / 4 END WHERE w.n <= 60000`

// invited adds an invitation with two links for each person.
const invited = `
	WITH asked AS (
		INSERT INTO invitations (school_id, person_id, message_id, requested_at)
		SELECT school_id, id, gen_random_uuid(), now() FROM people RETURNING school_id, person_id, message_id
	)
	INSERT INTO invitation_links (school_id, hash, person_id, message_id, created_at, expires_at)
	SELECT school_id, sha256((person_id::text || i)::bytea), person_id, message_id, now(), now() + interval '14 days'
	FROM asked, generate_series(1, 2) i`

// usePlans checks the plans of queries in a school with many redemptions and invitations. Each plan
// must use an index.
func usePlans(t *testing.T, db *sql.DB, id school.ID) {
	inReplica(t, db, used, id.UUID)
	inReplica(t, db, invited)
	execute(t, db, `VACUUM ANALYZE redemptions`, `VACUUM ANALYZE invitations`, `VACUUM ANALYZE invitation_links`)
	redemptionPlans(t, db, id)
	invitationPlans(t, db, id)
}

func redemptionPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	var coupon, person, known uuid.UUID
	var recent time.Time
	is.NoErr(db.QueryRowContext(t.Context(), `
		SELECT coupon_id, (array_agg(person_id))[1], (array_agg(id))[1], max(created_at) - interval '30 minutes'
		FROM redemptions WHERE school_id = $1 GROUP BY coupon_id ORDER BY count(*) DESC LIMIT 1`, id.UUID).Scan(&coupon, &person, &known, &recent))
	newest := query.Order{Attr: timeAttr("created_at"), Desc: true}
	since := query.Cond{Attr: timeAttr("created_at"), Op: query.Gt, Values: instant(recent)}
	const tie = "ARRAY [r.id]::text[]"
	for _, q := range []asked{
		{"of all coupons", "redemptions", nil, newest, []string{"redemptions_by_creation"}},
		{"of a coupon", "redemptions", query.And{idIs("coupon.id", coupon)}, newest, []string{"redemptions_by_coupon"}},
		{"of a coupon, oldest first", "redemptions", query.And{idIs("coupon.id", coupon)}, query.Order{Attr: timeAttr("created_at")}, []string{"redemptions_by_coupon"}},
		{"of a coupon since", "redemptions", query.And{idIs("coupon.id", coupon), since}, newest, []string{"redemptions_by_coupon"}},
		{"of a person", "redemptions", query.And{idIs("person.id", person)}, newest, []string{"redemptions_by_person"}},
		{
			"of a coupon by a person", "redemptions",
			query.And{idIs("coupon.id", coupon), idIs("person.id", person)},
			newest,
			[]string{"redemptions_by_person", "redemptions_by_coupon"},
		},
	} {
		t.Run("redemptions "+q.name, func(t *testing.T) {
			q.check(t, db, id)
		})
		t.Run("redemptions "+q.name+", followed", func(t *testing.T) {
			q.check(t, db, id, lastKeys(t, db, id, "created_at", "created_at", tie, q)...)
		})
	}
	for _, word := range []string{"Zephyr", "Ada"} {
		t.Run("redemptions of a coupon with "+word, func(t *testing.T) {
			is := is.New(t)
			name := query.Attr{Name: "person_name", Source: "person_name", Kind: query.Text}
			statement, args := postgres.LearningSQL("redemptions", query.Query{Where: query.And{
				idIs("coupon.id", coupon),
				query.Cond{Attr: name, Op: query.Cont, Values: []query.Value{{Text: word, Fold: text.Fold(word)}}},
			}}, id)
			run := explain(t, db, statement, args, false).ran()
			is.Equal(len(run.large()), 0)
		})
	}
	for name, statement := range map[string]string{"of a person": postgres.RemoveUsesOfPersonSQL, "of a coupon": postgres.RemoveUsesOfCouponSQL} {
		t.Run("redemptions "+name+" are deleted", func(t *testing.T) {
			is := is.New(t)
			p := explain(t, db, statement, []any{id.UUID, uuid.New(), 1000}, true)
			is.Equal(p.scanned(), nil)
			is.Equal(p.indexes("redemptions_by_"), []string{"redemptions_by_" + strings.TrimPrefix(name, "of a ")})
		})
	}
}

func invitationPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	var person uuid.UUID
	var hash string
	is.NoErr(db.QueryRowContext(t.Context(),
		`SELECT person_id, hash::text FROM invitation_links WHERE school_id = $1 LIMIT 1`, id.UUID).Scan(&person, &hash))
	for _, tt := range []struct {
		name, statement string
		args            []any
		index           string
	}{
		{"the invitation of a person", postgres.InvitationSQL, []any{id.UUID, person}, "invitations_pkey"},
		{"the link with a hash", postgres.FindLinkSQL, []any{hash}, "invitation_links_by_hash"},
		{"the end of the links of a person", postgres.EndLinksSQL, []any{id.UUID, person, time.Now().Format(time.RFC3339)}, "invitation_links_by_person"},
		{"the links of a person go", postgres.RemoveLinksSQL, []any{id.UUID, person}, "invitation_links_by_person"},
		{"the invitation of a person goes", postgres.RemoveInvitationSQL, []any{id.UUID, person}, "invitations_pkey"},
	} {
		for _, generic := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, generic: %v", tt.name, generic), func(t *testing.T) {
				is := is.New(t)
				p := explain(t, db, tt.statement, tt.args, generic)
				is.Equal(p.scanned(), nil)
				is.Equal(p.indexes("invitation"), []string{tt.index})
			})
		}
	}
}
