package course

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema is what course lists can be filtered, searched and sorted by. The
// hidden attribute enroll_token is there for the enrollment link, which the
// transport adds.
var Schema = query.Define(
	query.UUIDField("uuid", func(c *Summary) uuid.UUID { return c.ID.UUID }),
	query.TextField("name", func(c *Summary) string { return c.Name }).Searched(),
	query.TextField("permalink", func(c *Summary) string { return c.Permalink }),
	query.IntegerField("enrollments_count", func(c *Summary) int64 { return c.EnrollmentsCount }),
	query.TimeField("created_at", func(c *Summary) time.Time { return c.CreatedAt }),
	query.TimeField("updated_at", func(c *Summary) time.Time { return c.UpdatedAt }),
	query.TextField("enroll_token", func(c *Summary) string { return c.EnrollToken }).Hidden(),
).OrderBy("name")
