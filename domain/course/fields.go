package course

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/category"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of courses are filtered, searched and sorted. The
// transport builds the enrollment link from the hidden attribute enroll_token.
var Schema = query.Define(
	query.UUIDField("uuid", func(c *Summary) uuid.UUID { return c.ID.UUID }),
	query.TextField("name", func(c *Summary) string { return c.Name }).Searched(),
	query.TextField("permalink", func(c *Summary) string { return c.Permalink }),
	query.IntegerField("enrollments_count", func(c *Summary) int64 { return c.EnrollmentsCount }),
	query.TimeField("created_at", func(c *Summary) time.Time { return c.CreatedAt }),
	query.TimeField("updated_at", func(c *Summary) time.Time { return c.UpdatedAt }),
	query.UUIDsField("categories.id", func(c *Summary) []category.ID { return c.Categories }),
	query.UUIDsField("instructor_partnerships.id", func(c *Summary) []person.PartnershipID { return c.Instructors }),
	query.TextField("enroll_token", func(c *Summary) string { return c.EnrollToken }).Hidden(),
).OrderBy("name").WithProperties(readProperty)

func readProperty(c *Summary, a query.Attr) query.Value { return c.Properties.Queried(a) }
