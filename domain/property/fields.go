package property

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of definitions are filtered and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(s *State) uuid.UUID { return s.ID.UUID }),
	query.TextField("resource", func(s *State) string { return s.Resource.name }),
	query.TextField("name", func(s *State) string { return s.Name }),
	query.TextField("kind", func(s *State) string { return s.Kind.name }),
	query.BooleanField("filterable", func(s *State) bool { return s.Filterable }),
	query.TimeField("created_at", func(s *State) time.Time { return s.CreatedAt }),
	query.TimeField("updated_at", func(s *State) time.Time { return s.UpdatedAt }),
).OrderBy("-created_at")
