package protocol

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// HostileRequests sends every method to every path with hostile ids, queries and bodies. check
// verifies that each response is well-formed, has the required headers and reports no defect. The
// data of the other school must not change. All paths use the same code to read ids, queries and
// bodies, so each of these is sent to every third path only.
func HostileRequests(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	before := s.VisibleTo(t, s.OtherTenantKey)
	for i, r := range routes.All {
		if !r.Readable() {
			continue
		}
		for _, query := range everyThird(hostileQueries(), i) {
			a := s.Get(t, r.Of(r.ID)+"?"+query)
			is.True(a.Status == 200 || a.Status == 400)
		}
	}
	// Deletions are sent last, so that the other methods find records.
	for _, methods := range [][]string{{"GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW"}, {"DELETE"}} {
		for _, step := range hostileSteps() {
			for _, method := range methods {
				for _, body := range step.bodiesFor(method) {
					s.Send(t, method, step.path, body)
				}
			}
		}
	}
	is.Equal(s.VisibleTo(t, s.OtherTenantKey), before)
}

// step is a path, the methods that it allows, and the bodies to send there.
type step struct {
	path    string
	allowed []string
	bodies  []string
}

// bodiesFor returns the bodies to send by a method. A method that the path does not allow is
// rejected before its body is read, so it gets one body only.
func (s step) bodiesFor(method string) []string {
	switch {
	case method != "POST" && method != "PUT" && method != "PATCH" && method != "DELETE":
		return []string{""}
	case slices.Contains(s.allowed, method):
		return s.bodies
	}
	return s.bodies[:1]
}

// hostileSteps returns every path with some hostile ids and a body. It also returns every path with
// the id of an existing and of a missing record, each with a third of the bodies.
func hostileSteps() []step {
	all, one := hostileBodies(), []string{`{"data":{}}`}
	steps := []step{
		{"/", nil, one},
		{"/v1", nil, one},
		{"/v3/people", nil, one},
		{"/v1/nothing/" + records.Ada, nil, one},
		{"/v1/people/" + records.Ada + "/relationships/nothing", nil, one},
	}
	for i, r := range routes.All {
		steps = append(steps, step{r.Of(r.ID), r.AllowedMethods(), everyThird(all, i)})
		if r.ID == "" {
			continue
		}
		steps = append(steps, step{r.Of(records.Unknown), r.AllowedMethods(), everyThird(all, i+1)})
		for _, id := range append(everyThird(hostileIDs(), i), r.Theirs) {
			steps = append(steps, step{r.Of(id), r.AllowedMethods(), one})
		}
	}
	return steps
}

// everyThird returns every third element of texts, from index n % 3.
func everyThird(texts []string, n int) (some []string) {
	for i := n % 3; i < len(texts); i += 3 {
		some = append(some, texts[i])
	}
	return some
}

func hostileIDs() []string {
	return []string{
		"theirs", "x", "%00", "%ff", "%2F", "..", "*", ":id", "'",
		strings.Repeat("9", 5000), "00000000-0000-0000-0000-000000000000",
	}
}

func hostileBodies() []string {
	return []string{
		"", "{}", "null", "[]", `"`, "{\"data\":\xff}", "\x00", "\xef\xbb\xbf{}", `{"data":{"type":"categories"}}`,
		`{"data":{"type":7,"id":[],"attributes":[]}}`, `{"data":{"attributes":{"name":"\u0000\ud800"}}}`,
		`{"data":{"type":"people","attributes":{"email":{"$ne":null}}}}`,
		`{"data":{"type":"people","attributes":{"email":"a@example.test","custom_avatar_url":"https://\u0000","unsubscribed":1e999}}}`,
		`{"data":{"attributes":{"email":"x@example.test","first_name":"\ud800","custom_avatar_url":"http://a.test/%zz","unsubscribed":true}}}`,
		`{"data":{"type":"categories","attributes":{"name":"\u0000\ud800"}}}`,
		`{"data":{"type":"categories","attributes":{"name":1e999}}}`,
		`{"data":{"type":"coupons","attributes":{"value":1e999999999,"maximum_usages":-1e400,"start_on":"0000-00-00","end_on":"9999-99-99"}}}`,
		`{"data":{"attributes":{"code":"\ud800","format":{},"enabled":"yes","maximum_usages":99999999999999999999,"currency_code":"€"}}}`,
		`{"data":[{"type":"enrolled-courses","id":"` + records.TheirCourse + `"},{"type":"managed-courses","id":"\u0000"}]}`,
		`{"data":[{"type":"membership-groups","id":"` + records.TheirGroup + `"},{"type":"managed-groups","id":"` + records.TheirGroup + `"}]}`,
		`{"data":[{"type":"people","id":"` + records.TheirPerson + `"},{"type":"people","id":{}}]}`,
		`{"data":[{"type":"courses","id":"` + records.TheirCourse + `"},{"type":"courses","id":-1}]}`,
		strings.Repeat(`{"data":`, 10_000),
		`{"data":` + strings.Repeat(" ", 1<<20) + `{}}`,
	}
}

func hostileQueries() []string {
	return []string{
		"filter[name][cont]=%25%5F%5C'\"--;", "filter[email][eq]='+OR+1=1+--", "filter[uuid][eq]=x", "filter[]=", "filter[[]]=",
		"filter[name][eq]=%00", "filter[name][in][]=%ff", "q=%00", "q=%25", "q=_", "q=\\", "q='", "q=%F0%9F%92%A9", "sort=--name", "sort=,",
		"sort=name;drop", "page=1e9", "page=0x10", "limit=-0", "page=%31", "limit=%D9%A1", "&&&=&=;", "filter%5Bname%5D%5Beq%5D",
		"page=9223372036854775807&limit=1000", "page=9223372036854775808", "include", "fields", "%", "a=%", "[=]", "filter[name",
		"filter[created_at][eq]=0000-00-00", "filter[created_at][gt]=9999-12-31T23:59:60.999999999Z", "filter[created_at][lt]=0001-01-01",
		"filter[person.id][eq]=x", "filter[categories.id][in][]=%00&filter[partnerships.id]=&filter[school.id]=%ff", "sort=categories.id,partnerships.id", "filter[role][in][]=%00", "filter[group_enrollment_link][cont]=%ff",
		"filter[value][eq]=1e999999999", "filter[value][gt]=0x10", "filter[start_on][lteq]=0000-01-01", "filter[end_on][gt]=9999-12-31",
		"filter[person.id][eq]=x", "filter[role][in][]=%00", "filter[group_enrollment_link][cont]=%ff",
		"filter[progress][eq]=1e400", "filter[percent_correct][gt]=0x1", "filter[percentage_watched][lt]=NaN", "filter[type][in][]=%00",
		"filter[question_number][eq]=2/3", "filter[marked_correct]=2", "filter[course_attempt.id][null]=x", "filter[last_activity_completed_at][null]=true",
		"expires=9999999999&signature=00", "sort=-progress,uuid", "filter[response][cont]=%25",
		"filter[course_count][eq]=99999999999999999999", "filter[course_count][gt]=-9223372036854775808",
		strings.Repeat("filter[and]", 1) + strings.Repeat("[or]", 50) + "[name][eq]=x",
		strings.TrimPrefix(strings.Repeat("&filter[name][eq]=x", 60), "&"),
		strings.TrimPrefix(strings.Repeat("&filter[name][in][]=x", 1200), "&"),
		"q=" + strings.Repeat("a+", 60), "q=" + strings.Repeat("x", 9000), "sort=" + strings.Repeat("name,", 500),
	}
}
