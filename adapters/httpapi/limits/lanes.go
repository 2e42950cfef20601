package limits

import (
	"context"
	"errors"
	"runtime"
	"time"

	"lyceum/adapters/admission"
	"lyceum/domain/fault"
)

// Admission bounds the requests that run at a time. Zero fields take the defaults.
// Each class of requests has slots of its own, so that expensive requests cannot
// keep cheap ones from running; see docs/http.md.
type Admission struct {
	Slots     int           // cheap requests at a time; 0 means 4 for each processor
	Expensive int           // expensive requests at a time; 0 means 1 for two processors
	Waiting   int           // requests of a class that may wait; 0 means 512
	Wait      time.Duration // how long a request waits at most; 0 means 1.5 s

	// RefusalDelay is how long a response is held back that refuses a request
	// because of a rate, or because too many requests wait; 0: it is not.
	RefusalDelay time.Duration
}

func (a Admission) WithDefaults() Admission {
	if a.Slots <= 0 {
		a.Slots = 4 * runtime.GOMAXPROCS(0)
	}
	if a.Expensive <= 0 {
		a.Expensive = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if a.Waiting <= 0 {
		a.Waiting = 512
	}
	if a.Wait <= 0 {
		a.Wait = 1500 * time.Millisecond
	}
	return a
}

const (
	// exportSlots is how many exports a server writes at a time, one for each
	// school: each holds a connection of its own to the database.
	exportSlots = 4
	// longSlots is how many changes of all the records of a course run at a time:
	// as many as the Postgres store has connections for.
	longSlots = 4
	// uploadSlots is how many files arrive at a time: each holds an open file.
	uploadSlots = 128
	// bodySlots is how many bodies are in memory at a time, without those of the
	// routes with a higher limit: each takes up to 1 MiB. While another school is
	// active, one school has bodyShare of them, so that it takes many schools to use
	// all by bodies that arrive slowly.
	bodySlots = 256
	bodyShare = 32
	// responseSlots is how many large responses are sent at a time: each is in memory
	// for as long as its client reads. responseShare is as bodyShare.
	responseSlots = 64
	responseShare = 16
	// uploadShare is as bodyShare.
	uploadShare = 16
	// largeBodySlots is how many bodies of the routes with a higher limit are in
	// memory at a time: each takes up to 8 MiB, and several times that once it is read.
	largeBodySlots = 8
	// keylessSlots is how many requests without a known key look something up at a
	// time. The networks of clients take turns as keys of one school do.
	keylessSlots = 4
)

// Lanes are the slots of the classes of requests, and of what they hold besides.
type Lanes struct {
	Cheap, Expensive, Large, Long, Exports, Uploads, Bodies, LargeBodies, Responses, Keyless *admission.Limiter

	Delay delay // of refusals
}

func NewLanes(a Admission) Lanes {
	lane := func(slots, perSchool int) *admission.Limiter {
		return admission.New(admission.Config{Slots: slots, PerSchool: perSchool, Waiting: a.Waiting, Wait: a.Wait})
	}
	// share is how many of the slots a school may hold while another is active.
	shared := func(slots, share int) *admission.Limiter {
		return admission.New(admission.Config{Slots: slots, Shared: share, Waiting: a.Waiting, Wait: a.Wait})
	}
	processors := runtime.GOMAXPROCS(0)
	return Lanes{
		Delay:       newDelay(a.RefusalDelay),
		Cheap:       shared(a.Slots, processors+1),
		Expensive:   lane(a.Expensive, 0),
		Large:       shared(2*processors, max(1, processors/2)),
		Long:        lane(longSlots, longSlots/2),
		Exports:     admission.New(admission.Config{Slots: exportSlots, PerSchool: 1}),
		Uploads:     shared(uploadSlots, uploadShare),
		Bodies:      shared(bodySlots, bodyShare),
		Responses:   shared(responseSlots, responseShare),
		LargeBodies: lane(largeBodySlots, largeBodySlots/2),
		Keyless:     lane(keylessSlots, keylessSlots),
	}
}

// Named returns the lanes by the names that they have in metrics.
func (l Lanes) Named() map[string]*admission.Limiter {
	return map[string]*admission.Limiter{
		"cheap": l.Cheap, "expensive": l.Expensive, "large": l.Large, "long": l.Long, "export": l.Exports,
		"upload": l.Uploads, "body": l.Bodies, "large-body": l.LargeBodies, "response": l.Responses, "keyless": l.Keyless,
	}
}

// TooManyRequests is the detail of the refusal of a request that found no slot.
const TooManyRequests = "Too many requests are running; try again later"

// Enter returns a slot of lane for o, Unavailable with that detail if there is none.
func (l Lanes) Enter(ctx context.Context, lane *admission.Limiter, o admission.Origin, detail string) (*admission.Slot, error) {
	slot, err := lane.Acquire(ctx, o)
	if errors.Is(err, admission.ErrFull) {
		l.Delay.Wait(ctx)
	}
	if errors.Is(err, admission.ErrFull) || errors.Is(err, admission.ErrTimeout) {
		err = fault.Busyf("%s", detail)
	}
	return slot, err
}
