package category

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of categories are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(c *State) uuid.UUID { return c.ID.UUID }),
	query.TextField("name", func(c *State) string { return c.Name }).Searched(),
	query.TimeField("created_at", func(c *State) time.Time { return c.CreatedAt }),
	query.TimeField("updated_at", func(c *State) time.Time { return c.UpdatedAt }),
).OrderBy("name")
