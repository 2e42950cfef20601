package main

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

type groupRow struct {
	ID        uuid.UUID `db:"id"`
	Name      string    `db:"name"`
	Token     string    `db:"enroll_token"`
	Members   int64     `db:"membership_count"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

type groupAttributes struct {
	Name       string `json:"name"`
	Members    int64  `json:"membership_count"`
	CreatedAt  string `json:"created_at"`
	UpdatedAt  string `json:"updated_at"`
	EnrollLink string `json:"group_enrollment_link"`
}

type groupLinks struct {
	Self        link   `json:"self"`
	Teaching    link   `json:"teaching"`
	Memberships string `json:"memberships"`
}

type group = resource[groupAttributes, none, groupLinks]

const fromGroups = `
	SELECT g.id, g.name, g.enroll_token, g.created_at, g.updated_at, g.membership_count + (
		SELECT coalesce(sum(d.delta), 0) FROM group_count_deltas d WHERE d.school_id = g.school_id AND d.group_id = g.id
	) AS membership_count
	FROM groups g WHERE g.school_id = $1 ORDER BY g.name_fold, g.id LIMIT 26`

func (b *bare) groups(ctx context.Context, on gin.IRoutes) error {
	return list[groupRow, group]{path: "/v1/groups", first: fromGroups, any: fromGroups + ` OFFSET $2`, show: b.group}.add(ctx, b, on)
}

func (b *bare) group(r groupRow) group {
	self := b.base + "/v1/groups/" + r.ID.String()
	return group{
		Type: "groups", ID: r.ID,
		Attributes: groupAttributes{r.Name, r.Members, instant(r.CreatedAt), instant(r.UpdatedAt), b.base + "/g/" + r.Token},
		Links: groupLinks{
			link{self, []string{"get", "delete"}}, link{b.base + "/groups/" + r.ID.String(), []string{"get", "put"}}, self + "/memberships",
		},
	}
}
