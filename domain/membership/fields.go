package membership

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of memberships are filtered and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(m *Membership) uuid.UUID { return m.ID.UUID }),
	query.TextField("role", func(m *Membership) string { return m.Role.String() }),
	query.UUIDField("person.id", func(m *Membership) uuid.UUID { return m.Person.UUID }),
	query.UUIDField("group.id", func(m *Membership) uuid.UUID { return m.Group.UUID }),
	query.TimeField("created_at", func(m *Membership) time.Time { return m.CreatedAt }),
	query.TimeField("updated_at", func(m *Membership) time.Time { return m.UpdatedAt }),
).OrderBy("-created_at")
