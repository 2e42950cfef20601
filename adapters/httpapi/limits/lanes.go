package limits

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// Admission configures how many requests run concurrently; zero fields have defaults. Each class of
// requests has its own slots, so that expensive requests cannot block cheap ones; see docs/http.md.
type Admission struct {
	Slots     int           // concurrent cheap requests; 0: 4 for each processor
	Expensive int           // concurrent expensive requests; 0: 1 for every two processors, at least 2
	Waiting   int           // maximum length of the queue of a class; 0: 512
	Wait      time.Duration // maximum wait of a request; 0: 1.5 s

	// Responses is the maximum number of bytes of large responses in memory; 0: an eighth of the
	// memory limit of the program (GOMEMLIMIT), from 64 to 256 MiB. One school holds at most a
	// quarter.
	Responses int

	// Connections is the number of connections to the database that requests and jobs share; 0: there is
	// no database.
	Connections int

	// InMemory says that the store is in memory: requests then wait for nothing but processors.
	InMemory bool

	// RefusalDelay is the delay of a response that refuses a request because of a rate limit or a
	// full queue; 0: none.
	RefusalDelay time.Duration
}

// WithDefaults returns a with the defaults of zero fields.
func (a Admission) WithDefaults() Admission {
	if a.Slots <= 0 {
		a.Slots = 4 * limiter.Processors()
	}
	if a.Expensive <= 0 {
		a.Expensive = max(2, limiter.Processors()/2) // one school leaves one to others
	}
	if a.Waiting <= 0 {
		a.Waiting = 512
	}
	if a.Wait <= 0 {
		a.Wait = 1500 * time.Millisecond
	}
	if a.Responses <= 0 {
		a.Responses = responseBytes(debug.SetMemoryLimit(-1))
	}
	return a
}

const (
	// exportSlots is the maximum number of concurrent exports, at most one per school. Each holds a
	// separate connection to the database.
	exportSlots = 8
	// longSlots is the maximum number of concurrent changes of very many records. It equals the
	// number of connections that the Postgres store reserves for them.
	longSlots = 4
	// manySlots is more than the number of slots of all classes together.
	manySlots = 1 << 16
	// uploadSlots is the maximum number of concurrent uploads. Each holds an open file.
	uploadSlots = 128
	// providerSlots is the maximum number of visitors who wait for an identity provider, and
	// providerShare that of one school. Visitors need no key, and a provider can respond slowly.
	providerSlots = 256
	providerShare = 32
	// bodySlots is the maximum number of request bodies in memory, up to 1 MiB each; a larger body
	// takes a slot for each MiB. While another school is active, one school holds at most bodyShare
	// of them, so that a few schools that send slowly cannot use all slots.
	bodySlots = 256
	bodyShare = 32
	// responseSlot is the number of bytes per slot of a large response. The response stays in
	// memory, and holds its slots, until its client has read it.
	responseSlot = 64 << 10
	// waitingResponses is the maximum number of large responses that wait for slots. They are in
	// memory too.
	waitingResponses = 16
	// waitingRenderings is the maximum number of texts and templates that wait to be rendered. Their
	// requests hold slots for pages, so there are never many.
	waitingRenderings = 4096
	// messageWait is the maximum time that a message waits to be written. The worker that sends it can
	// wait longer than a client.
	messageWait = time.Minute
	// uploadShare is like bodyShare, but for uploads. With the store in memory it is half of that,
	// because the files are in memory too.
	uploadShare = 16
	// largeBodySlots is the maximum number of request bodies over 1 MiB that are parsed at the same
	// time, which needs several times their memory.
	largeBodySlots = 8
	// waitSlots is the maximum number of requests that wait for changes, and waitShare that of one
	// school. Each uses a connection and a goroutine.
	waitSlots = 512
	waitShare = 21 // 16 of one key
	// keylessSlots is the maximum number of concurrent lookups for clients without a known key.
	// Networks share these slots as schools share the slots of a class.
	keylessSlots = 4
	// pageBytes is the maximum number of bytes of forms and large pages of the academy in memory,
	// and pageShare that of one school.
	pageBytes = 32 << 20
	pageShare = 4 << 20
)

// Lanes contains a limiter for each class of requests, and limiters for bodies and responses in
// memory. Each of these limiters is a lane.
type Lanes struct {
	Cheap, Expensive, Large, Long, Exports, Uploads, Providers, Bodies, LargeBodies, Responses, Keyless, Waiters *limiter.Limiter

	// Schools is for all requests of a school together, except those that wait for clients (the
	// classes Export, Upload and Provider), and Heavy for those of the classes Expensive, Large and
	// Long, in addition to the slot of their class.
	Schools, Heavy *limiter.Limiter
	// Yielding is for the requests of learners and visitors of a school, its heavy requests and its
	// uploads, in addition to Schools. Together they leave a slot of Schools to cheap requests with a
	// key: a client can have the tokens and sessions of any number of people, each with a share of its
	// own, and all of these requests can wait for locks for seconds.
	Yielding *limiter.Limiter
	// Pages and PageBytes are for the pages of the academy and their bytes in memory. Clients without
	// a key can request them from many networks, so they take slots of Yielding and Schools only while
	// their pages are rendered.
	Pages, PageBytes *limiter.Limiter
	// PageClients is for the pages of a network together: their slots of Pages count toward the
	// schools in their paths, which a client can choose.
	PageClients *limiter.Limiter
	// Links is for requests for sign-in links, instead of Pages. Those of a school wait for each other
	// in the store, so they would hold its connections to the database.
	Links *limiter.Limiter
	// Renderings are renderings of pages and texts, which take time of a processor.
	Renderings *limiter.Limiter
	// Messages are documents of webhook messages that are read and written: background work, which no
	// client waits for.
	Messages *limiter.Limiter

	Delay delay // delay of refusals
}

// NewLanes returns the lanes. a must be a result of WithDefaults. A school is active for all lanes
// if it is in neighbors; networks of clients without a known key do not count as schools.
func NewLanes(a Admission, neighbors *limiter.Neighbors) Lanes {
	lane := func(slots, perSchool int) *limiter.Limiter {
		return limiter.New(limiter.Config{Slots: slots, PerSchool: perSchool, Waiting: a.Waiting, Wait: a.Wait})
	}
	// share is the maximum number of slots that a school holds while another school is active.
	sharing := func(slots, share int) limiter.Config {
		return limiter.Config{Slots: slots, Shared: share, Waiting: a.Waiting, Wait: a.Wait, Neighbors: neighbors}
	}
	shared := func(slots, share int) *limiter.Limiter { return limiter.New(sharing(slots, share)) }
	// A client that sends slowly, or whose requests wait for locks, holds slots for long, so its key
	// leaves some to others of its school.
	keyed := func(cfg limiter.Config) *limiter.Limiter {
		cfg.LimitKeys = true
		return limiter.New(cfg)
	}
	processors := limiter.Processors()
	return Lanes{
		Delay:       newDelay(a.RefusalDelay),
		Cheap:       keyed(sharing(a.Slots, processors+1)),
		Expensive:   lane(a.Expensive, 0),
		Large:       shared(2*processors, max(1, processors/2)),
		Long:        shared(longSlots, 1),
		Schools:     keyed(ofOneSchool(a, neighbors, a.share(processors))),
		Heavy:       limiter.New(ofOneSchool(a, neighbors, a.heavyShare(processors))),
		Yielding:    newYielding(a, neighbors, processors),
		Exports:     lane(exportSlots, 1),
		Uploads:     keyed(sharing(uploadSlots, a.uploadShare())),
		Providers:   keyed(limiter.Config{Slots: providerSlots, PerSchool: providerShare, Waiting: a.Waiting, Wait: a.Wait}),
		Bodies:      keyed(sharing(bodySlots, bodyShare)),
		Responses:   newResponses(a, neighbors),
		LargeBodies: shared(largeBodySlots, max(1, processors/2)),
		Keyless:     lane(keylessSlots, 0),
		Waiters:     keyed(limiter.Config{Slots: waitSlots, PerSchool: waitShare}),
		Pages:       keyed(limiter.Config{Slots: a.Slots, PerSchool: max(processors+1, a.Slots/4), Waiting: a.Waiting, Wait: a.Wait}),
		PageClients: keyed(limiter.Config{
			Slots: manySlots, PerSchool: max(processors+2, a.Slots/2), Waiting: manySlots, Wait: a.Wait,
		}),
		Links: limiter.New(limiter.Config{Slots: a.Slots, PerSchool: 1, Waiting: manySlots, Wait: a.Wait}),
		// A large page takes as long as a thousand small ones, so a school must not wait for one of
		// another school, nor use all processors.
		Renderings: limiter.New(limiter.Config{
			Slots: processors + 1, Shared: max(1, processors/2), Waiting: waitingRenderings, Wait: a.Wait, Neighbors: neighbors,
		}),
		Messages: limiter.New(newMessages(a, neighbors, processors)),
		PageBytes: keyed(limiter.Config{
			Slots: pageBytes / responseSlot, PerSchool: pageShare / responseSlot, Waiting: waitingResponses, Wait: a.Wait,
		}),
	}
}

// share returns the maximum number of concurrent requests of a school while another school is
// active: at least two, because one key leaves one to other keys. With a database, some of them wait
// for it, so there may be one more than processors.
func (a Admission) share(processors int) int {
	if a.InMemory {
		return max(2, processors/2)
	}
	return processors + 1
}

// heavyShare is like share, for requests that take long. It leaves one of the share to other requests.
func (a Admission) heavyShare(processors int) int {
	return min(max(2, processors/2), a.share(processors)-1)
}

// newYielding returns the limiter Yielding. Its share while another school is active is at least two,
// so that pages do not wait for a long change; in memory, where requests do not wait for locks for long,
// it can equal that of Schools. A school that is alone leaves some connections to the database.
func newYielding(a Admission, neighbors *limiter.Neighbors, processors int) *limiter.Limiter {
	cfg := ofOneSchool(a, neighbors, max(2, a.share(processors)-1))
	cfg.PerSchool = max(cfg.Shared, a.Slots*3/4-1)
	if a.Connections > 0 {
		cfg.PerSchool = max(cfg.Shared, a.Connections*2/3)
	}
	return limiter.New(cfg)
}

// newMessages configures the limiter Messages. A message about a record with very many others takes tens
// of milliseconds of a processor. With a database, usual ones mostly wait for it, so only a school next to
// another one is limited.
func newMessages(a Admission, neighbors *limiter.Neighbors, processors int) limiter.Config {
	cfg := ofOneSchool(a, neighbors, max(1, processors/2))
	if a.InMemory {
		cfg.Slots = cfg.Shared
	}
	cfg.Wait = messageWait
	return cfg
}

// uploadShare returns the maximum number of concurrent uploads of a school while another school is
// active.
func (a Admission) uploadShare() int {
	if a.InMemory {
		return uploadShare / 2
	}
	return uploadShare
}

// ofOneSchool configures a limiter that does not limit all schools together, and one school only
// while another school is active: otherwise the shares of its classes would add up.
func ofOneSchool(a Admission, neighbors *limiter.Neighbors, share int) limiter.Config {
	return limiter.Config{Slots: manySlots, Shared: share, Waiting: manySlots, Wait: a.Wait, Neighbors: neighbors}
}

// Named returns the limiters by their names in metrics.
func (l Lanes) Named() map[string]*limiter.Limiter {
	return map[string]*limiter.Limiter{
		"cheap": l.Cheap, "expensive": l.Expensive, "large": l.Large, "long": l.Long, "heavy": l.Heavy, "school": l.Schools, "yielding": l.Yielding, "export": l.Exports,
		"upload": l.Uploads, "provider": l.Providers, "body": l.Bodies, "large-body": l.LargeBodies, "response": l.Responses, "keyless": l.Keyless, "wait": l.Waiters,
		"page": l.Pages, "page-client": l.PageClients, "link": l.Links, "page-bytes": l.PageBytes, "rendering": l.Renderings, "message": l.Messages,
	}
}

// TooManyRequests is the detail of the response to a request that got no slot.
const TooManyRequests = "Too many requests are running. Try again later"

// Enter waits for a slot of lane for o. If no slot is free in time, it returns Unavailable with the
// given detail.
func (l Lanes) Enter(ctx context.Context, lane *limiter.Limiter, o limiter.Origin, detail string) (*limiter.Slot, error) {
	return l.EnterN(ctx, lane, o, 1, detail)
}

// EnterN is like Enter, but waits for n slots.
func (l Lanes) EnterN(ctx context.Context, lane *limiter.Limiter, o limiter.Origin, n int, detail string) (*limiter.Slot, error) {
	slot, err := lane.AcquireN(ctx, o, n)
	if errors.Is(err, limiter.ErrFull) {
		l.Delay.Wait(ctx)
	}
	if errors.Is(err, limiter.ErrFull) || errors.Is(err, limiter.ErrTimeout) {
		err = fault.Unavailablef("%s", detail)
	}
	return slot, err
}

// EnterCheap waits for a slot for cheap requests on behalf of a school. It serves requests without a
// key. The caller must release the slot.
func (l Lanes) EnterCheap(ctx context.Context, of school.ID) (*limiter.Slot, error) {
	return l.Enter(ctx, l.Cheap, limiter.Origin{School: of.UUID}, TooManyRequests)
}
