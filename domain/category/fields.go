package category

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema is what category lists can be filtered, searched and sorted by.
var Schema = query.Define(
	query.UUIDField("uuid", func(c *State) uuid.UUID { return c.ID.UUID }),
	query.TextField("name", func(c *State) string { return c.Name }).Searched(),
	query.TimeField("created_at", func(c *State) time.Time { return c.CreatedAt }),
	query.TimeField("updated_at", func(c *State) time.Time { return c.UpdatedAt }),
).OrderBy("name")
