package memory

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
	"lyceum/adapters/memory/jobqueue"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Store stores schools and their records in memory. Its fields are interfaces, because each package
// that uses a type also compiles the generic types that its fields refer to.
type Store struct {
	ports.Store
	schools ports.Schools
	queue   ports.Queue
}

// New returns an empty store. It must not be inlined: the package into which it is inlined would
// compile the generic types of the store again.
//
//go:noinline
func New() *Store {
	s := newStore()
	return &Store{Store: s, schools: schools{s}, queue: s.queue}
}

// Schools returns the repository of schools and their keys.
func (s *Store) Schools() ports.Schools { return s.schools }

// Queue returns the job queue of all schools.
func (s *Store) Queue() ports.Queue { return s.queue }

// store implements ports.Store.
type store struct {
	registry   atomic.Pointer[registry]
	registryMu sync.Mutex      // serializes changeRegistry
	namesLock  chan struct{}   // held by transactions that change or add a name of a school
	queue      *jobqueue.Queue // jobs of all schools
	scoreIDs   atomic.Int64    // last id of a quiz score
	id         uuid.UUID       // identifies the store in change feeds
}

var _ ports.Store = (*store)(nil)

func newStore() *store {
	s := &store{queue: jobqueue.New(), id: uuid.New(), namesLock: make(chan struct{}, 1)}
	s.registry.Store(newRegistry())
	return s
}

// Read implements ports.Store. Each call of the reader sees the latest published state.
func (s *store) Read(id school.ID) ports.Reader {
	v := committed{s, id}
	return ports.Reader{
		School:       schoolReader{v},
		Keys:         keyReader{v},
		Properties:   propertyReader{propertyEntity.reader(v)},
		Categories:   categoryEntity.reader(v),
		Coupons:      couponEntity.reader(v),
		Redemptions:  redemptionsIn(v),
		Courses:      courseReader{courseEntity.reader(v)},
		People:       peopleReader{personEntity.reader(v)},
		Partnerships: partnershipsIn(v),
		Enrollments:  enrollmentsIn(v),
		Groups:       groupReader{groupEntity.reader(v)},
		Memberships:  membershipsIn(v),
		Bulk:         bulkReader{v},
		Invitations:  invitationReader{v},
		SignIns:      signInReader{v},
		Tokens:       tokenReader{v},
		Activities:   activityReader{activityEntity.reader(v)},
		Structures:   structureReader{v},
		Quizzes:      quizzesIn(v),
		Assignments:  assignmentEntity.reader(v),
		Submissions:  submissionsIn(v),
		Events:       eventReader{v, listEvents},
		Changes:      changeReader{v, s.id},
		Audit:        auditReader{v},
		Webhooks:     webhookReader{v},

		WebhookDeliveries: webhookDeliveries{v},

		CourseAnalytics: courseAnalyticsIn(v),
		QuizScores:      quizScores{v, listQuizScores},
		RawAnswers:      rawAnswers{v, listRawAnswers},
		QuizAttempts:    quizAttemptsIn(v),
		Completions:     completions{v, listCompletions},
		Statistics:      statistics{v},
	}
}

// Ready implements ports.Store.
func (s *store) Ready(ctx context.Context) error { return ordered.CheckContext(ctx) }

// tenant returns the school with the given id, or NotFound if it does not exist.
func (s *store) tenant(id school.ID) (*tenant, error) {
	t, ok := s.registry.Load().tenants.Get(id.UUID)
	if !ok {
		return nil, fault.RecordNotFound()
	}
	return t, nil
}

// view provides the state that a repository reads.
type view interface {
	current(ctx context.Context) (*state, error)
}

// committed is the view of readers. Each call returns the latest published state.
type committed struct {
	store  *store
	school school.ID
}

func (c committed) current(ctx context.Context) (*state, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return nil, err
	}
	t, err := c.store.tenant(c.school)
	if err != nil {
		return nil, err
	}
	return t.state.Load(), nil
}
