package job

import (
	"sync"
	"time"

	"lyceum/domain/school"
)

// Leases tracks the leases that one server holds. It is safe for concurrent use.
type Leases struct {
	mu     sync.Mutex // guards the fields below
	limits map[Kind]limit
	held   map[ID]Job
}

// limit limits the leases of one kind; 0 means no limit.
type limit struct {
	perSchool int // maximum number of leases of one school
	shared    int // number of leases of all schools from which on a school has at most one
}

// Limit sets the maximum number of leases of the kind that the server holds for one school. While
// it holds at least shared leases of the kind, a school that has one gets no further one. 0 means no
// limit.
func (l *Leases) Limit(kind Kind, perSchool, shared int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limits == nil {
		l.limits = map[Kind]limit{}
	}
	l.limits[kind] = limit{perSchool, shared}
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

// Full returns the schools that may get no further lease of the kind at the time now. It discards
// expired leases.
func (l *Leases) Full(kind Kind, now time.Time) []school.ID {
	l.mu.Lock()
	defer l.mu.Unlock()
	held, all := map[school.ID]int{}, 0
	for id, j := range l.held {
		switch {
		case !j.RunAt.After(now):
			delete(l.held, id)
		case j.Kind == kind:
			held[j.School]++
			all++
		}
	}
	most := l.limits[kind].perSchool
	if shared := l.limits[kind].shared; shared > 0 && all >= shared {
		most = 1
	}
	var full []school.ID
	for s, n := range held {
		if most > 0 && n >= most {
			full = append(full, s)
		}
	}
	return full
}
