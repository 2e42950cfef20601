package person

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// PartnershipSchema defines the attributes by which lists of partnerships are filtered and sorted.
var PartnershipSchema = query.Define(
	query.UUIDField("uuid", func(p *Partnership) uuid.UUID { return p.ID.UUID }),
	query.TextField("role", func(p *Partnership) string { return p.Role.String() }),
	query.UUIDField("person.id", func(p *Partnership) uuid.UUID { return p.Person.UUID }),
	query.TimeField("created_at", func(p *Partnership) time.Time { return p.CreatedAt }),
).OrderBy("-created_at")
