package respond

import (
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/limits"
	"lyceum/domain/school"
)

// Attributes contains the properties of a route. They are set where the route is registered.
type Attributes struct {
	Keyless bool         // whether requests need no API key
	Scope   school.Scope // required scope of the key; zero: any
	// Learners means that the route is open to learners. Its use case checks what a learner may do.
	Learners bool

	Class limits.Class // admission class; parameters of GET can raise Cheap to Large or Expensive
	// ChangesMany means that each record in the body may cause changes to many other records. If
	// the body is large, the class becomes Long.
	ChangesMany bool
	Analytics   bool          // whether the response is a list of analytics
	List        bool          // whether the response is a list that can also be CSV
	CountsRows  bool          // whether the list reads all rows before a page without a cursor
	BodyLimit   int64         // maximum size of the body in bytes; 0: Config.BodyLimit
	TimeLimit   time.Duration // time limit of the whole request; 0: Config.TimeLimit

	// Produces is the media type of the response, or */* if the type depends on the record. "": a
	// JSON:API document, whose media type the Accept header selects.
	Produces string
	// FailurePage responds to a failed request with a page if the client accepts HTML, and reports
	// whether it did. If it did not, or if FailurePage is nil, the client gets a JSON:API document.
	FailurePage func(c *gin.Context, status int) bool
	// Successor is the path that replaces the route, or the path below which the same record is
	// found. "": the route is not deprecated.
	Successor string
	// Probe means that the route is for load balancers: it is served over any transport, without
	// reading the query, and unless it is large with a spacing of its own.
	Probe bool
}
