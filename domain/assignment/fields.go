package assignment

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema is what assignment lists can be filtered, searched and sorted by.
var Schema = query.Define(
	query.UUIDField("uuid", func(a *State) uuid.UUID { return a.ID.UUID }),
	query.TextField("title", func(a *State) string { return a.Title }).Searched(),
	query.TimeField("created_at", func(a *State) time.Time { return a.CreatedAt }),
).OrderBy("title")
