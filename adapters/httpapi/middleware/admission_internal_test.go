package middleware

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
)

// A request of a route with ChangesMany has the class Long if its body is large or of unknown size.
func TestClassOfChangesMany(t *testing.T) {
	for _, tc := range []struct {
		route respond.Attributes
		size  int64
		want  limits.Class
	}{
		{respond.Attributes{}, manyNames + 1, limits.Cheap},
		{respond.Attributes{ChangesMany: true}, manyNames, limits.Cheap},
		{respond.Attributes{ChangesMany: true}, manyNames + 1, limits.Long},
		{respond.Attributes{ChangesMany: true}, -1, limits.Long}, // unknown size
		{respond.Attributes{Class: limits.Long}, 1, limits.Long},
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		c.Request.ContentLength = tc.size
		respond.AttachState(c, &respond.State{Route: &tc.route})
		is.New(t).Equal(classOf(c), tc.want) // the class of tc.route for a body of tc.size
	}
}

// Next to other schools, a school has one slot for each processor and one more, so it reads one page
// of a hundred records at a time on two processors. The rows of one large bulk request are read at a
// time.
func TestSlotsOfObjects(t *testing.T) {
	for objects, want := range map[int]int{0: 1, 1: 1, 127: 1, 128: 2, 1280: 11} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		c.Request.Body = NewBufferedBody([]byte(strings.Repeat("{},", objects)), http.NoBody)
		respond.AttachState(c, &respond.State{Route: &respond.Attributes{}})
		is.New(t).Equal(slotsOf(c, limits.Cheap), want)
	}
}

// A bulk request with as many commas as a large one counts as large: its rows can have two bytes.
func TestSlotsOfShortRows(t *testing.T) {
	for rows, want := range map[int]int{manyCommas: 1, manyCommas + 1: allSlots} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		c.Request.Body = NewBufferedBody([]byte(strings.Repeat("1,", rows)), http.NoBody)
		respond.AttachState(c, &respond.State{Route: &respond.Attributes{}})
		is.New(t).Equal(slotsOf(c, limits.Expensive), want)
	}
}

func TestSlotsOfDeepPages(t *testing.T) {
	for query, want := range map[string]int{
		"page=5000&limit=1": 1, "page=5001&limit=1": 2, "page=201&limit=50": 3, "page=2": 1, "filter[record.type][eq]=people": 1 + allSlots,
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, http.NoBody)
		respond.AttachState(c, &respond.State{Route: &respond.Attributes{}, Query: respond.ParseQuery(query)})
		is.New(t).Equal(slotsOf(c, limits.Cheap)-listquery.Records(respond.ParseQuery(query))/recordsPerSlot, want) // the slots
	}
}

func TestSlotsOf(t *testing.T) {
	for _, tc := range []struct {
		method, limit string
		query, body   int // bytes
		class         limits.Class
		want          int
	}{
		{http.MethodGet, "", 0, 0, limits.Cheap, 1}, // the default limit
		{http.MethodGet, "31", 0, 0, limits.Cheap, 1},
		{http.MethodGet, "32", 0, 0, limits.Cheap, 2},
		{http.MethodGet, "100", 0, 0, limits.Cheap, 4},
		{http.MethodGet, "100", 0, 0, limits.Expensive, 1},
		{http.MethodGet, "1000", 0, 0, limits.Large, 1},
		{http.MethodGet, "", 4<<10 - 1, 0, limits.Cheap, 1},
		{http.MethodGet, "", 4 << 10, 0, limits.Cheap, 2},
		{http.MethodPost, "100", 0, 0, limits.Cheap, 1},
		{http.MethodPost, "100", 0, 4<<10 - 1, limits.Cheap, 1},
		{http.MethodPost, "100", 0, 4 << 10, limits.Cheap, 2},
		{http.MethodPost, "", 0, smallBody, limits.Expensive, 1},
		{http.MethodPost, "", 0, smallBody + 1, limits.Expensive, allSlots},
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), tc.method, "/?"+strings.Repeat("q", tc.query), http.NoBody)
		c.Request.Body = NewBufferedBody(make([]byte, tc.body), http.NoBody)
		x := &respond.State{Route: &respond.Attributes{}}
		if tc.limit != "" {
			x.Query = []respond.Parameter{{Name: "limit", Value: tc.limit}}
		}
		respond.AttachState(c, x)
		is.New(t).Equal(slotsOf(c, tc.class), tc.want) // the slots of tc.method with tc.limit, tc.query or tc.body
	}
}
