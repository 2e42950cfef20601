package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// walk asks every path for every method with hostile ids, queries and bodies.
// What must come back is in check: a well-formed answer with the right headers,
// never a defect. The neighbour must not notice anything.
func walk(t *testing.T, s *server) {
	is := is.New(t)
	neighbour := func() string {
		return s.request("GET", "/v1/people").as(s.neighbourKey).send(t).body +
			s.request("GET", "/v1/courses").as(s.neighbourKey).send(t).body
	}
	before := neighbour()
	bodies := hostileBodies()
	for _, path := range hostilePaths() {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			switch method {
			case "POST", "PUT", "PATCH", "DELETE":
				for _, body := range bodies {
					s.send(t, method, path, body)
				}
			default:
				s.send(t, method, path, "")
			}
		}
	}
	for _, path := range []string{"/v1/categories", "/v1/courses", "/v1/people", "/v1/learners"} {
		for _, query := range hostileQueries() {
			a := s.get(t, path+"?"+query)
			is.True(a.status == 200 || a.status == 400) // query
		}
	}
	is.Equal(neighbour(), before)
}

func hostilePaths() []string {
	ids := []string{
		unknown, theirPerson, theirCategory, theirCourse, "theirs", "x", "%00", "%ff", "%2F", "..", "*", ":id", "'",
		strings.Repeat("9", 5000), "00000000-0000-0000-0000-000000000000", ada, design, "drawing",
	}
	all := []string{"/", "/v1", "/v3/people", "/v1/categories", "/v1/courses", "/v1/people", "/v1/learners"}
	for _, collection := range []string{"categories", "courses", "people", "learners", "nothing"} {
		for _, id := range ids {
			all = append(all, "/v1/"+collection+"/"+id)
		}
	}
	for _, id := range ids {
		all = append(all, "/v1/people/"+id+"/relationships/courses", "/v1/people/"+id+"/relationships/nothing")
	}
	return all
}

func hostileBodies() []string {
	return []string{
		"", "{}", "null", "[]", `"`, "{\"data\":\xff}", "\x00", "\xef\xbb\xbf{}", `{"data":{"type":"categories"}}`,
		`{"data":{"type":"people","attributes":{"email":{"$ne":null}}}}`,
		`{"data":{"type":"categories","attributes":{"name":"\u0000\ud800"}}}`,
		`{"data":{"type":"categories","attributes":{"name":1e999}}}`,
		`{"data":[{"type":"enrolled-courses","id":"` + theirCourse + `"},{"type":"managed-courses","id":"\u0000"}]}`,
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
		"filter[course_count][eq]=99999999999999999999", "filter[course_count][gt]=-9223372036854775808",
		strings.Repeat("filter[and]", 1) + strings.Repeat("[or]", 50) + "[name][eq]=x",
		strings.TrimPrefix(strings.Repeat("&filter[name][eq]=x", 60), "&"),
		strings.TrimPrefix(strings.Repeat("&filter[name][in][]=x", 1200), "&"),
		"q=" + strings.Repeat("a+", 60), "q=" + strings.Repeat("x", 9000), "sort=" + strings.Repeat("name,", 500),
	}
}
