package respond

import (
	"time"

	"lyceum/adapters/httpapi/limits"
	"lyceum/domain/school"
)

// Attributes are the properties of a route, given where it is registered.
type Attributes struct {
	Keyless bool         // whether requests need no API key
	Scope   school.Scope // required scope of the key; zero: any

	Class limits.Class // its admission class; a read of class Cheap that searches is Expensive
	// ChangesMany means that each record in the body may cause changes to many others. With a large
	// body the class is Long.
	ChangesMany bool
	List        bool          // whether it is a list, which can be CSV too
	CountsRows  bool          // whether the list reads all rows before a page without a cursor
	BodyLimit   int64         // bytes; 0: Config.BodyLimit
	TimeLimit   time.Duration // of the whole request; 0: Config.TimeLimit

	// Produces is the media type of the response if the Accept header does not select it; */* if it
	// depends on the record. "": a JSON:API document.
	Produces string
	// Successor is the path that replaces the route, or the path below which the same record is
	// found. "": the route is not deprecated.
	Successor string
	// Probe means that the route is for load balancers: it is served over any transport, without
	// reading the query and without spacing.
	Probe bool
}
