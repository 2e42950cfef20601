package group

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of groups are filtered, searched and sorted. The
// transport builds the enrollment link from the hidden attribute enroll_token.
var Schema = query.Define(
	query.UUIDField("uuid", func(g *Summary) uuid.UUID { return g.ID.UUID }),
	query.TextField("name", func(g *Summary) string { return g.Name }).Searched(),
	query.IntegerField("membership_count", func(g *Summary) int64 { return g.MembershipCount }),
	query.TimeField("created_at", func(g *Summary) time.Time { return g.CreatedAt }),
	query.TimeField("updated_at", func(g *Summary) time.Time { return g.UpdatedAt }),
	query.TextField("enroll_token", func(g *Summary) string { return g.EnrollToken }).Hidden(),
).OrderBy("name").WithProperties(readProperty)

func readProperty(g *Summary, a query.Attr) query.Value { return g.Properties.Queried(a) }
