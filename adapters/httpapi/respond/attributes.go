package respond

import (
	"time"

	"lyceum/adapters/httpapi/limits"
	"lyceum/domain/school"
)

// Attributes are what a route states about its requests where it is registered.
type Attributes struct {
	Keyless bool         // whether requests need no API key
	Scope   school.Scope // that the key must have; zero: any

	Class limits.Class // its slots; a read of class Cheap that searches is Expensive
	// ChangesMany says that each record which the body names may change many others: with
	// a large body the class is Long.
	ChangesMany bool
	CountsRows  bool          // whether the list reads all rows before a page without a cursor
	BodyLimit   int64         // bytes; 0: Config.BodyLimit
	TimeLimit   time.Duration // of the whole request; 0: Config.TimeLimit

	// Produces is the media type of the response, which the Accept header does not
	// choose; */* if it depends on the record. Empty: a JSON:API document.
	Produces string
	// Successor is the path that replaces the route, or the path under which the record
	// of the same ID is found. Empty: the route is not deprecated.
	Successor string
	// Probe says that the route is for load balancers: it is answered over any
	// transport, without reading the query and without spacing.
	Probe bool
}
