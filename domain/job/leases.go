package job

import (
	"sync"
	"time"

	"lyceum/domain/school"
)

// Leases tracks the leases that one server holds. It is safe for concurrent use.
type Leases struct {
	mu     sync.Mutex   // guards the fields below
	limits map[Kind]int // maximum for one school; 0: no limit
	held   map[ID]Job
}

// Limit sets the maximum number of leases of the kind that the server holds for one school; 0: no
// limit.
func (l *Leases) Limit(kind Kind, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limits == nil {
		l.limits = map[Kind]int{}
	}
	l.limits[kind] = n
}

// Add adds the lease of j.
func (l *Leases) Add(j Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[ID]Job{}
	}
	l.held[j.ID] = j
}

// End removes the lease of j, unless j has been leased again in the meantime.
func (l *Leases) End(j Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held, ok := l.held[j.ID]; ok && held.RunAt.Equal(j.RunAt) {
		delete(l.held, j.ID)
	}
}

// Full returns the schools for which the server holds the maximum number of leases of the kind at
// the time now. It discards expired leases.
func (l *Leases) Full(kind Kind, now time.Time) []school.ID {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := map[school.ID]int{}
	var full []school.ID
	for id, j := range l.held {
		switch {
		case !j.RunAt.After(now):
			delete(l.held, id)
		case j.Kind == kind && l.limits[kind] > 0:
			if held[j.School]++; held[j.School] == l.limits[kind] {
				full = append(full, j.School)
			}
		}
	}
	return full
}
