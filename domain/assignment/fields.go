package assignment

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of assignments are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(a *State) uuid.UUID { return a.ID.UUID }),
	query.TextField("title", func(a *State) string { return a.Title }).Searched(),
	query.TimeField("created_at", func(a *State) time.Time { return a.CreatedAt }),
).OrderBy("title")
