package teaching_test

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
	"lyceum/test/kit/stores"
)

// route is a request for a page, and the roles that the page permits.
type route struct {
	pattern string // in routes.go
	path    string // within the app; in it, {course} and other names stand for the ID of a record
	form    string
	roles   string
}

const (
	everyone = "owner manager instructor"
	managers = "owner manager"
	owners   = "owner"
	none     = ""
)

// requests contains at least one request for each route, for records that the instructor may use
// and for others. Records are removed last.
var requests = []route{
	{"GET /{school}", "", "", everyone},
	{"GET /{school}/people", "/people", "", everyone},
	{"GET /{school}/people", "/people?role=owner", "", everyone},
	{"POST /{school}/people", "/people", "email=eve@example.test&first_name=Eve", managers},
	{"GET /{school}/people/invite", "/people/invite", "", managers},
	{"GET /{school}/people/import", "/people/import", "", managers},
	{"POST /{school}/people/import", "/people/import", "", managers},
	{"GET /{school}/people/import/example", "/people/import/example", "", managers},
	{"GET /{school}/imports/{job}", "/imports/{none}", "", none},
	{"GET /{school}/people/{person}", "/people/{learner}", "", everyone},
	{"GET /{school}/people/{person}", "/people/{owner}", "", managers},
	{"GET /{school}/people/{person}", "/people/{none}", "", none},
	{"GET /{school}/people/{person}/edit", "/people/{learner}/edit", "", managers},
	{"POST /{school}/people/{person}/edit", "/people/{learner}/edit", "email=jiwoo.park@example.test&first_name=Ji", managers},
	{"GET /{school}/people/{person}/remove", "/people/{learner}/remove", "", managers},
	{"POST /{school}/people/{person}/courses", "/people/{learner}/courses", "course={own course}", everyone},
	{"POST /{school}/people/{person}/courses", "/people/{learner}/courses", "course={foreign course}", managers},
	{"POST /{school}/people/{person}/courses", "/people/{none}/courses", "course={own course}", none},
	{"POST /{school}/people/{person}/resend", "/people/{learner}/resend", "", managers},
	{"POST /{school}/people/{person}/link", "/people/{learner}/link", "", owners},
	{"POST /{school}/people/{person}/roles", "/people/{learner}/roles", "role=manager", owners},
	{"GET /{school}/people/{person}/roles/{role}/end", "/people/{owner}/roles/{partnership}/end", "", owners},
	{"GET /{school}/people/{person}/roles/{role}/end", "/people/{learner}/roles/{partnership}/end", "", none},
	{"POST /{school}/people/{person}/roles/{role}/end", "/people/{learner}/roles/{partnership}/end", "", none},
	{"POST /{school}/people/{person}/roles/{role}/end", "/people/{owner}/roles/{partnership}/end", "", owners},
	{"GET /{school}/courses", "/courses", "", everyone},
	{"POST /{school}/courses", "/courses", "name=Bees", managers},
	{"GET /{school}/add-course", "/add-course", "", managers},
	{"GET /{school}/courses/{course}", ownCourse, "", everyone},
	{"GET /{school}/courses/{course}", foreignCourse, "", managers},
	{"GET /{school}/courses/{course}", "/courses/{foreign course}", "", managers},
	{"GET /{school}/courses/{course}", "/courses/does-not-exist", "", none},
	{"GET /{school}/courses/{course}/edit", ownCourse + "/edit", "", everyone},
	{"GET /{school}/courses/{course}/edit", foreignCourse + "/edit", "", managers},
	{"POST /{school}/courses/{course}/edit", ownCourse + "/edit", "name=Light", everyone},
	{"POST /{school}/courses/{course}/edit", foreignCourse + "/edit", "name=Songs", managers},
	{"GET /{school}/courses/{course}/remove", ownCourse + "/remove", "", managers},
	{"POST /{school}/courses/{course}/learners", ownCourse + "/learners", "email=jiwoo.park@example.test", everyone},
	{"POST /{school}/courses/{course}/learners", foreignCourse + "/learners", "email=jiwoo.park@example.test", managers},
	{"POST /{school}/courses/{course}/learners/{person}/unenroll", ownCourse + "/learners/{learner}/unenroll", "", everyone},
	{"POST /{school}/courses/{course}/learners/{person}/unenroll", foreignCourse + "/learners/{learner}/unenroll", "", managers},
	{"GET /{school}/courses/{course}/builder", ownCourse + "/builder", "", everyone},
	{"GET /{school}/courses/{course}/builder", foreignCourse + "/builder", "", managers},
	{"POST /{school}/courses/{course}/builder", ownCourse + "/builder", "kind=text&title=Lenses", everyone},
	{"POST /{school}/courses/{course}/builder", foreignCourse + "/builder", "kind=text&title=Chords", managers},
	{"GET /{school}/courses/{course}/add", ownCourse + "/add?kind=quiz", "", everyone},
	{"GET /{school}/courses/{course}/add", foreignCourse + "/add?kind=quiz", "", managers},
	{"GET /{school}/courses/{course}/add", ownCourse + "/add?kind=other", "", none},
	{"GET /{school}/courses/{course}/builder/{activity}", ownCourse + "/builder/what-light-does", "", everyone},
	{"GET /{school}/courses/{course}/builder/{activity}", ownCourse + "/builder/missing", "", none},
	{"POST /{school}/courses/{course}/builder/{activity}", ownCourse + "/builder/what-light-does", "title=Light", everyone},
	{"POST /{school}/courses/{course}/builder/{activity}/move", ownCourse + "/builder/what-light-does/move", "to=down", everyone},
	{"POST /{school}/courses/{course}/builder/{activity}/restore", ownCourse + "/builder/what-light-does/restore", "", none}, // is not archived
	{"POST /{school}/courses/{course}/builder/{activity}/remove", ownCourse + "/builder/what-light-does/remove", "", everyone},
	{"GET /{school}/categories", "/categories", "", managers},
	{"POST /{school}/categories", "/categories", "name=Bees", managers},
	{"GET /{school}/categories/{category}", "/categories/{category}", "", managers},
	{"GET /{school}/categories/{category}", "/categories/{none}", "", none},
	{"POST /{school}/categories/{category}", "/categories/{category}", "name=Wasps", managers},
	{"GET /{school}/categories/{category}/remove", "/categories/{category}/remove", "", managers},
	{"GET /{school}/results", "/results", "", everyone},
	{"GET /{school}/answers", "/answers", "", everyone},
	{"GET /{school}/quizzes/{quiz}", "/quizzes/{own quiz}", "", everyone},
	{"GET /{school}/quizzes/{quiz}", "/quizzes/{foreign quiz}", "", managers},
	{"GET /{school}/quizzes/{quiz}/builder", "/quizzes/{own quiz}/builder", "", everyone},
	{"GET /{school}/quizzes/{quiz}/builder", "/quizzes/{foreign quiz}/builder", "", managers},
	{"GET /{school}/assignments/{assignment}", "/assignments/{own assignment}", "", everyone},
	{"GET /{school}/assignments/{assignment}", "/assignments/{foreign assignment}", "", managers},
	{"GET /{school}/submissions", "/submissions", "", everyone},
	{"GET /{school}/submissions/{submission}/file", "/submissions/{own submission}/file", "", everyone},
	{"GET /{school}/submissions/{submission}/file", "/submissions/{foreign submission}/file", "", managers},
	{"GET /{school}/groups", "/groups", "", everyone},
	{"POST /{school}/groups", "/groups", "name=Bees", managers},
	{"GET /{school}/groups/{group}", "/groups/{group}", "", managers},
	{"POST /{school}/groups/{group}", "/groups/{group}", "name=Wasps", managers},
	{"GET /{school}/groups/{group}/remove", "/groups/{group}/remove", "", managers},
	{"POST /{school}/groups/{group}/courses", "/groups/{group}/courses", "course={own course}", managers},
	{"POST /{school}/groups/{group}/courses/{course}/remove", "/groups/{group}/courses/{own course}/remove", "", managers},
	{"POST /{school}/groups/{group}/members", "/groups/{group}/members", "email=jiwoo.park@example.test", managers},
	{"POST /{school}/groups/{group}/members/{person}/remove", "/groups/{group}/members/{learner}/remove", "", managers},
	{"POST /{school}/groups/{group}/remove", "/groups/{group}/remove", "", managers},
	{"GET /{school}/coupons", "/coupons", "", managers},
	{"POST /{school}/coupons", "/coupons", "code=BEES&currency=EUR&format=percentage&value=5&maximum_usages=9&start_on=2026-01-01", managers},
	{"GET /{school}/coupons/{coupon}", "/coupons/{coupon}", "", managers},
	{"POST /{school}/coupons/{coupon}", "/coupons/{coupon}", "code=BEES&currency=EUR&format=percentage&value=5&maximum_usages=99&start_on=2026-01-01", managers},
	{"POST /{school}/coupons/{coupon}/enabled", "/coupons/{coupon}/enabled", "enabled=false", managers},
	{"GET /{school}/coupons/{coupon}/remove", "/coupons/{coupon}/remove", "", managers},
	{"POST /{school}/coupons/{coupon}/remove", "/coupons/{coupon}/remove", "", managers},
	{"GET /{school}/jobs", "/jobs", "", managers},
	{"POST /{school}/jobs/{job}/retry", "/jobs/{none}/retry", "", none},
	{"GET /{school}/audit", "/audit", "", managers},
	{"GET /{school}/settings", "/settings", "", owners},
	{"POST /{school}/settings", "/settings", "name=River&slug=riverside-academy&authentication=preregistration", owners},
	{"GET /{school}/keys", "/keys", "", owners},
	{"POST /{school}/keys", "/keys", "name=New&scope=admin", owners},
	{"POST /{school}/keys/{key}/rotate", "/keys/{key}/rotate", "", owners},
	{"GET /{school}/keys/{key}/revoke", "/keys/{key}/revoke", "", owners},
	{"POST /{school}/keys/{key}/revoke", "/keys/{key}/revoke", "", owners},
	{"GET /{school}/webhooks", "/webhooks", "", owners},
	{"POST /{school}/webhooks", "/webhooks", "url=https://new.example.test&type=*", owners},
	{"GET /{school}/webhooks/{endpoint}", "/webhooks/{endpoint}", "", owners},
	{"GET /{school}/webhooks/{endpoint}", "/webhooks/{endpoint}?status=failed", "", owners},
	{"GET /{school}/webhooks/{endpoint}", "/webhooks/{none}", "", none},
	{"POST /{school}/webhooks/{endpoint}", "/webhooks/{endpoint}", "url=https://other.example.test&type=people", owners},
	{"POST /{school}/webhooks/{endpoint}/ping", "/webhooks/{endpoint}/ping", "", owners},
	{"POST /{school}/webhooks/{endpoint}/replay", "/webhooks/{endpoint}/replay", "after=0", owners},
	{"POST /{school}/webhooks/{endpoint}/deliveries/{delivery}/replay", "/webhooks/{endpoint}/deliveries/{delivery}/replay", "", owners},
	{"POST /{school}/webhooks/{endpoint}/deliveries/{delivery}/replay", "/webhooks/{endpoint}/deliveries/{none}/replay", "", none},
	{"POST /{school}/webhooks/{endpoint}/rotate", "/webhooks/{endpoint}/rotate", "", owners},
	{"POST /{school}/webhooks/{endpoint}/enabled", "/webhooks/{endpoint}/enabled", "enabled=false", owners},
	{"GET /{school}/webhooks/{endpoint}/remove", "/webhooks/{endpoint}/remove", "", owners},
	{"POST /{school}/webhooks/{endpoint}/remove", "/webhooks/{endpoint}/remove", "", owners},
	{"POST /{school}/courses/{course}/remove", foreignCourse + "/remove", "", managers},
	{"POST /{school}/courses/{course}/remove", foreignCourse + "/remove", "force=true", owners},
	{"POST /{school}/categories/{category}/remove", "/categories/{category}/remove", "", managers},
	{"POST /{school}/people/{person}/remove", "/people/{learner}/remove", "", managers},
	{"/{school}", "", "", everyone}, // GET is the dashboard
	{"/{school}/{rest...}", "/nothing", "", none},
}

var people = map[string]string{"owner": owner, "manager": manager, "instructor": instructor, "learner": learner}

// TestRoutesByRole requests every route in every role. A role that a page does not permit gets 403
// or 404, and nothing is changed.
func TestRoutesByRole(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		for role, email := range people {
			t.Run(role, func(t *testing.T) {
				s := newServer(t, open)
				b, names := s.as(t, email), s.records(t)
				for _, r := range requests {
					path, form := names.Replace(r.path), names.Replace(r.form)
					var p page
					if strings.HasPrefix(r.pattern, "POST") {
						p = b.send(http.MethodPost, s.base+path, strings.NewReader(form), formType, "same-origin")
					} else {
						p = b.get(path)
					}
					permitted := slices.Contains(strings.Fields(r.roles), role)
					refused := p.status == http.StatusForbidden || p.status == http.StatusNotFound
					if permitted == refused || p.status >= http.StatusInternalServerError {
						t.Errorf("%s %s: %d, %s", r.pattern, path, p.status, p.path)
					}
				}
			})
		}
	})
}

// TestEveryRouteIsRequested checks that the table of this test has all routes.
func TestEveryRouteIsRequested(t *testing.T) {
	is := is.New(t)
	source, err := os.ReadFile("routes.go")
	is.NoErr(err)
	var registered []string
	for _, found := range regexp.MustCompile(`s\.page\("([^"]+)"`).FindAllSubmatch(source, -1) {
		registered = append(registered, string(found[1]))
	}
	is.True(len(registered) > 60)
	for _, pattern := range registered {
		if !slices.ContainsFunc(requests, func(r route) bool { return r.pattern == pattern }) {
			t.Errorf("%s is not requested", pattern)
		}
	}
}

// records returns the names in the paths of requests with the IDs of records of the demo school.
func (s *server) records(t *testing.T) *strings.Replacer {
	t.Helper()
	is := is.New(t)
	ctx, a := t.Context(), app.SystemActor(demo.SchoolID)
	everything := query.Query{Page: query.AllRows()}
	names := []string{"{none}", "00000000-0000-4000-8000-000000000000"}
	add := func(name string, id interface{ String() string }) { names = append(names, "{"+name+"}", id.String()) }
	all, err := s.People.List(ctx, a, everything)
	is.NoErr(err)
	for _, p := range all.Items {
		for role, email := range people {
			if p.Email == email {
				add(role, p.ID)
				if role == "owner" {
					add("partnership", p.Partnerships[0])
				}
			}
		}
	}
	own, err := s.Courses.Get(ctx, a, strings.TrimPrefix(ownCourse, "/courses/"))
	is.NoErr(err)
	foreign, err := s.Courses.Get(ctx, a, strings.TrimPrefix(foreignCourse, "/courses/"))
	is.NoErr(err)
	add("own course", own.ID)
	add("foreign course", foreign.ID)
	activities, err := s.Activities.List(ctx, a, everything)
	is.NoErr(err)
	var ownCourses []course.ID
	mine := map[string]bool{} // quizzes and assignments of the instructor's courses
	instructed, err := s.Courses.List(ctx, a, everything)
	is.NoErr(err)
	for _, c := range instructed.Items {
		if !slices.Equal(c.Instructors, own.Instructors) {
			continue
		}
		ownCourses = append(ownCourses, c.ID)
		for _, one := range activities.Items {
			if one.Course == c.ID {
				mine[one.Content.Quiz.String()], mine[one.Content.Assignment.String()] = true, true
			}
		}
	}
	for _, one := range activities.Items {
		whose := "foreign"
		if mine[one.Content.Quiz.String()] && mine[one.Content.Assignment.String()] {
			whose = "own"
		}
		switch one.Content.Kind.String() {
		case "quiz":
			add(whose+" quiz", one.Content.Quiz)
		case "assignment":
			add(whose+" assignment", one.Content.Assignment)
		}
	}
	submitted, err := s.Submissions.List(ctx, a, everything)
	is.NoErr(err)
	for _, one := range submitted.Items {
		whose := "foreign"
		if slices.Contains(ownCourses, one.Course) {
			whose = "own"
		}
		add(whose+" submission", one.ID)
	}
	groups, err := s.Groups.List(ctx, a, everything)
	is.NoErr(err)
	for _, g := range groups.Items {
		held, err := s.Groups.CourseIDs(ctx, a, []group.ID{g.ID})
		is.NoErr(err)
		if !slices.ContainsFunc(held[g.ID], func(c course.ID) bool { return slices.Contains(ownCourses, c) }) {
			add("group", g.ID)
			break
		}
	}
	headings, err := s.Categories.List(ctx, a, everything)
	is.NoErr(err)
	add("category", headings.Items[0].ID)
	coupons, err := s.Coupons.List(ctx, a, everything)
	is.NoErr(err)
	add("coupon", coupons.Items[0].ID)
	key, _, err := s.Keys.Create(ctx, a, school.KeyParams{Name: "Test", Scope: school.Read})
	is.NoErr(err)
	add("key", key.ID)
	url := "https://hooks.example.test"
	endpoint, _, err := s.Webhooks.Create(ctx, a, webhook.Changes{URL: &url})
	is.NoErr(err)
	add("endpoint", endpoint.ID)
	sent, err := s.Webhooks.Ping(ctx, a, endpoint.ID)
	is.NoErr(err)
	add("delivery", sent.ID)
	return strings.NewReplacer(names...) // of several records with a name, it uses the first
}
