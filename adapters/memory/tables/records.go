package tables

import (
	"cmp"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
)

// NewRecords returns empty records whose default order is from the newest to the oldest.
func NewRecords[R any](
	id func(R) uuid.UUID, at func(R) time.Time, sections ...ordered.Section[R],
) ordered.Records[R] {
	return ordered.NewRecords(id, ordered.Order[R]{
		Compare: func(a, b R) int {
			return cmp.Or(at(b).Compare(at(a)), ordered.CompareIDs(id(a), id(b)))
		},
		Sections: sections,
	})
}

// ClonePointer returns a pointer to a copy of the value at p, or nil if p is nil.
func ClonePointer[V any](p *V) *V {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
