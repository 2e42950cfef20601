package main

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/lib/pq"
)

type personRow struct {
	ID          uuid.UUID  `db:"id"`
	Email       string     `db:"email"`
	FullName    string     `db:"full_name"`
	AvatarURL   *string    `db:"avatar_url"`
	ActivatedAt *time.Time `db:"activated_at"`
	CreatedAt   time.Time  `db:"created_at"`
	UpdatedAt   time.Time  `db:"updated_at"`
	Courses     int64      `db:"course_count"`
	Groups      int64      `db:"group_count"`

	Partnerships pq.StringArray `db:"partnerships"`
}

type personAttributes struct {
	ActivatedAt *string `json:"activated_at"`
	CourseCount int64   `json:"course_count"`
	CreatedAt   string  `json:"created_at"`
	UpdatedAt   string  `json:"updated_at"`
	AvatarURL   *string `json:"custom_avatar_url"`
	Email       string  `json:"email"`
	FullName    string  `json:"full_name"`
	GroupCount  int64   `json:"group_count"`
	Status      string  `json:"registration_status"`
}

type personRelationships struct {
	Partnerships toMany `json:"partnerships"`
	School       toOne  `json:"school"`
}

type personLinks struct {
	Self     link `json:"self"`
	Teaching link `json:"teaching"`
}

type person = resource[personAttributes, personRelationships, personLinks]

func (b *bare) person(r personRow) person {
	partnerships := toMany{Data: []identifier{}}
	for _, id := range r.Partnerships {
		partnerships.Data = append(partnerships.Data, identifier{"partnerships", uuid.MustParse(id)})
	}
	status := "not_activated"
	if r.ActivatedAt != nil {
		status = "activated"
	}
	return person{
		Type: "people", ID: r.ID,
		Attributes: personAttributes{
			optionalInstant(r.ActivatedAt), r.Courses, instant(r.CreatedAt), instant(r.UpdatedAt), r.AvatarURL, r.Email, r.FullName, r.Groups, status,
		},
		Relationships: personRelationships{Partnerships: partnerships, School: toOneOf("schools", b.school)},
		Links: personLinks{
			link{b.base + "/v1/people/" + r.ID.String(), []string{"get", "delete"}},
			link{b.base + "/people/" + r.ID.String(), []string{"get", "patch"}},
		},
	}
}

const (
	personColumns = `p.id, p.email, p.full_name, p.avatar_url, p.activated_at, p.created_at, p.updated_at, p.course_count, p.group_count,
		CASE WHEN p.partnership_count > 0 THEN ARRAY (SELECT k.id FROM partnerships k
			WHERE k.school_id = p.school_id AND k.person_id = p.id ORDER BY k.id) END AS partnerships`
	fromPeople = `SELECT ` + personColumns + ` FROM people p WHERE p.school_id = $1`
	byName     = ` ORDER BY p.full_name_fold, p.id LIMIT 26`
	personByID = fromPeople + ` AND p.id = $2`
)

func (b *bare) people(ctx context.Context, on gin.IRoutes) error {
	get, err := b.db.PreparexContext(ctx, personByID)
	if err != nil {
		return err
	}
	on.GET("/v1/people/:id", func(c *gin.Context) {
		var row personRow
		if err := get.GetContext(c, &row, b.school, c.Param("id")); err != nil {
			fail(c, err)
			return
		}
		send(c, http.StatusOK, document[person]{Data: b.person(row)})
	})
	return list[personRow, person]{
		path:  "/v1/people",
		first: fromPeople + byName,
		any: `SELECT ` + personColumns + ` FROM (
			SELECT school_id, id, full_name_fold FROM people WHERE school_id = $1 ORDER BY full_name_fold, id LIMIT 26 OFFSET $2
		) k JOIN people p ON p.school_id = k.school_id AND p.id = k.id ORDER BY k.full_name_fold, k.id`,
		filters: map[string]string{
			"filter[email][eq]": fromPeople + ` AND p.email_fold = lower($2)` + byName,
		},
		search: fromPeople, searched: "p.full_name_fold", order: byName,
		show: b.person,
	}.add(ctx, b, on)
}
