package enrollment

import (
	"math/big"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/decimal"
	"lyceum/domain/query"
)

// Type is the resource type of enrollments in documents and faults.
const Type = "enrollments"

// Summary is an enrollment as it appears in lists and documents.
type Summary struct {
	Enrollment
	// Progress is the progress of the person's latest attempt at the course. It is 0 for a learner
	// without an attempt and nil for a manager.
	Progress *decimal.Percent
}

// Schema defines the attributes by which lists of enrollments are filtered and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(e *Summary) uuid.UUID { return e.ID.UUID }),
	query.TextField("role", func(e *Summary) string { return e.Role.String() }),
	query.OptionalNumber("progress", func(e *Summary) *big.Rat {
		if e.Progress == nil {
			return nil
		}
		return e.Progress.Rat()
	}),
	query.UUIDField("person.id", func(e *Summary) uuid.UUID { return e.Person.UUID }),
	query.UUIDField("course.id", func(e *Summary) uuid.UUID { return e.Course.UUID }),
	query.TimeField("created_at", func(e *Summary) time.Time { return e.CreatedAt }),
	query.TimeField("updated_at", func(e *Summary) time.Time { return e.UpdatedAt }),
).OrderBy("-created_at")
