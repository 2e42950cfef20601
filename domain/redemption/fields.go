package redemption

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of redemptions are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(r *Summary) uuid.UUID { return r.ID.UUID }),
	query.TimeField("created_at", func(r *Summary) time.Time { return r.CreatedAt }),
	query.UUIDField("coupon.id", func(r *Summary) uuid.UUID { return r.Coupon.UUID }),
	query.UUIDField("person.id", func(r *Summary) uuid.UUID { return r.Person.UUID }),
	query.TextField("person_name", func(r *Summary) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *Summary) string { return r.PersonEmail }).Searched().Hidden(),
).OrderBy("-created_at")
