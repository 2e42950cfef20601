package ordered

import (
	"slices"

	"github.com/google/uuid"
)

// Log contains the ids of the rows that were written to a table since it was copied.
type Log struct{ ids []uuid.UUID }

func (l *Log) add(id uuid.UUID) { l.ids = append(l.ids, id) }

// Take returns the ids in the log, each once, in the order of their first write, and empties the
// log.
func (l *Log) Take() []uuid.UUID {
	ids := l.ids
	l.ids = nil
	if len(ids) < 2 {
		return ids
	}
	seen := make(map[uuid.UUID]bool, len(ids))
	return slices.DeleteFunc(ids, func(id uuid.UUID) bool {
		known := seen[id]
		seen[id] = true
		return known
	})
}
