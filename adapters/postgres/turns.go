package postgres

import (
	"sync"

	"lyceum/domain/job"
	"lyceum/domain/school"
)

// turns holds the school that this instance leased a job of last, for each kind.
// Every instance goes its own rounds: all of them are fair, so their sum is.
type turns struct {
	mu     sync.Mutex // guards what follows
	served map[job.Kind]school.ID
}

// last returns the school that was served last, the zero ID at the beginning of
// a round.
func (t *turns) last(kind job.Kind) school.ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.served[kind]
}

func (t *turns) set(kind job.Kind, served school.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.served == nil {
		t.served = map[job.Kind]school.ID{}
	}
	t.served[kind] = served
}
