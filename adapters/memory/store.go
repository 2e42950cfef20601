package memory

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Store keeps schools and their records in memory. New makes one.
type Store struct {
	registry atomic.Pointer[registry]
	changing sync.Mutex    // held while the registry's successor is made
	adding   chan struct{} // full while LoadNew runs
	queue    *queue        // of the jobs of all schools
	scoreIDs atomic.Int64  // the last that was given to a quiz score
}

var _ ports.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	s := &Store{queue: newQueue(), adding: make(chan struct{}, 1)}
	s.registry.Store(newRegistry())
	return s
}

// Read returns the school's committed records; each call sees the latest state.
// The calls of an unknown school's Reader are NotFound.
func (s *Store) Read(id school.ID) ports.Reader {
	v := committed{s, id}
	return ports.Reader{
		School:       schoolReader{v},
		Keys:         keyReader{v},
		Categories:   categoryReader{v},
		Coupons:      couponReader{v},
		Redemptions:  redemptionReader{v},
		Courses:      courseReader{v},
		People:       personReader{v},
		Partnerships: partnershipReader{v},
		Enrollments:  enrollmentReader{v},
		Groups:       groupReader{v},
		Memberships:  membershipReader{v},
		Bulk:         bulkReader{v},
		Invitations:  invitationReader{v},
		Activities:   activityReader{v},
		Structures:   structureReader{v},
		Quizzes:      quizReader{v},
		Assignments:  assignmentReader{v},
		Submissions:  submissionReader{v},
		Events:       eventReader{v},

		CourseAnalytics: courseAnalytics{v},
		QuizScores:      quizScores{v},
		RawAnswers:      rawAnswers{v},
		QuizRuns:        quizRunLister{v},
		Completions:     completions{v},
	}
}

// Ready returns nil unless ctx has ended: memory always serves.
func (s *Store) Ready(ctx context.Context) error { return alive(ctx) }

// Schools returns the schools themselves and their keys.
func (s *Store) Schools() ports.Schools { return schools{s} }

// Queue returns the jobs of all schools.
func (s *Store) Queue() ports.Queue { return s.queue }

func (s *Store) tenant(id school.ID) (*tenant, error) {
	t, ok := s.registry.Load().tenants.Get(id.UUID)
	if !ok {
		return nil, fault.Missing()
	}
	return t, nil
}

// view is where a repository finds the state to read from.
type view interface {
	current(ctx context.Context) (*state, error)
}

// committed is the view of readers: at each call the latest published state.
type committed struct {
	store  *Store
	school school.ID
}

func (c committed) current(ctx context.Context) (*state, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	t, err := c.store.tenant(c.school)
	if err != nil {
		return nil, err
	}
	return t.state.Load(), nil
}

// alive returns the error of a context that has ended.
func alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}
