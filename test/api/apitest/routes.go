package apitest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"lyceum/domain/person"
)

// resources lists every path of the API with its methods. Tests of rules that apply to all
// operations iterate over it: for example, the tests of methods, isolation, hostile input, version
// parity and golden files.
var resources = []resource{
	{"/", "", "", "GET, HEAD, OPTIONS"},
	{"/favicon.ico", "", "", "GET, HEAD, OPTIONS"},
	{"/favicon.svg", "", "", "GET, HEAD, OPTIONS"},
	{"/healthz", "", "", "GET, HEAD, OPTIONS"},
	{"/readyz", "", "", "GET, HEAD, OPTIONS"},
	{"/openapi.json", "", "", "GET, HEAD, OPTIONS"},
	{"/docs", "", "", "GET, HEAD, OPTIONS"},
	{"/docs/:id", script, "", "GET, HEAD, OPTIONS"},
	{"/v1/bulk/groups", "", "", "POST, OPTIONS"},
	{"/v1/bulk/jobs/:id", bulkJob, theirBulkJob, "GET, HEAD, OPTIONS"},
	{"/v1/bulk/people", "", "", "POST, OPTIONS"},
	{"/v1/analytics/courses", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/analytics/quiz_scores", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/analytics/quiz_raw_answers", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/assignments", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/categories", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v1/categories/:id", design, theirCategory, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v1/coupons", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/coupons/:id", earlyBird, theirCoupon, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v1/coupons/:id/activation", earlyBird, theirCoupon, "POST, DELETE, OPTIONS"},
	{"/v1/courses", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/courses/:id", drawing, theirCourse, "GET, HEAD, OPTIONS"},
	{"/v1/groups", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v1/groups/:id", singers, theirGroup, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v1/groups/:id/memberships", designers, theirGroup, "GET, HEAD, OPTIONS"},
	{"/v1/groups/:id/relationships/courses", designers, theirGroup, "POST, OPTIONS"},
	{"/v1/groups/:id/relationships/people", designers, theirGroup, "POST, OPTIONS"},
	{"/v1/learners", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v1/learners/:id", ada, theirPerson, "GET, HEAD, DELETE, OPTIONS"},
	{"/v1/memberships/:id", adaInDesigners, theirMembership, "GET, HEAD, DELETE, OPTIONS"},
	{"/v1/people", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/people/:id", grace, theirPerson, "GET, HEAD, DELETE, OPTIONS"},
	{"/v1/people/:id/relationships/courses", ada, theirPerson, "POST, DELETE, OPTIONS"},
	{"/v1/people/:id/relationships/groups", ada, theirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/api_keys", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/api_keys/:id", ownKey, theirKey, "GET, HEAD, DELETE, OPTIONS"},
	{"/v2/api_keys/:id/rotation", ownKey, theirKey, "POST, OPTIONS"},
	{"/v2/bulk/groups", "", "", "POST, OPTIONS"},
	{"/v2/bulk/jobs/:id", bulkJob, theirBulkJob, "GET, HEAD, OPTIONS"},
	{"/v2/bulk/people", "", "", "POST, OPTIONS"},
	{"/v2/categories", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/categories/:id", design, theirCategory, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/courses/:id", drawing, theirCourse, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/categories", drawing, theirCourse, "POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/instructor_partnerships", drawing, theirCourse, "POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/learners", drawing, theirCourse, "POST, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/managers", drawing, theirCourse, "POST, DELETE, OPTIONS"},
	{"/v2/coupons", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/coupons/:id", tenOff, theirCoupon, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/coupons/:id/activation", tenOff, theirCoupon, "POST, DELETE, OPTIONS"},
	{"/v2/coupons/:id/redemptions", tenOff, theirCoupon, "GET, HEAD, POST, OPTIONS"},
	{"/v2/coupon_redemptions/:id", adasRedemption, theirRedemption, "GET, HEAD, OPTIONS"},
	{"/invitations/:id", invitationToken, "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/invitations/:id/acceptance", invitationToken, "", "POST, OPTIONS"},
	{"/v2/people/:id/tokens", grace, theirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/people/:id/invitation", grace, theirPerson, "GET, HEAD, POST, OPTIONS"},
	{"/v1/quizzes", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/quizzes/:id", shapesQuiz, theirQuiz, "GET, HEAD, OPTIONS"},
	{"/v2/activities", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/activities/:id", light, theirActivity, "GET, HEAD, OPTIONS"},
	{"/v2/analytics/courses", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/analytics/quiz_scores", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/analytics/quiz_raw_answers", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/assignments", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/activity_completions", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/activities/:id/completions", lines, theirActivity, "POST, OPTIONS"},
	{"/v2/assignments/:id/submissions", stillLife, theirAssignment, "GET, HEAD, POST, OPTIONS"},
	{"/v2/courses/:id/attempts", singing, theirCourse, "POST, OPTIONS"},
	{"/v2/quiz_attempts", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/quizzes/:id/answers", shapesQuiz, theirQuiz, "POST, OPTIONS"},
	{"/v2/courses/:id/activities", drawing, theirCourse, "GET, HEAD, OPTIONS"},
	{"/v2/courses/:id/structure", drawing, theirCourse, "GET, HEAD, PUT, OPTIONS"},
	{"/v2/courses/:id/enrollments", drawing, theirCourse, "GET, HEAD, OPTIONS"},
	{"/v2/enrollments/:id", adaInDrawing, theirEnrollment, "GET, HEAD, OPTIONS"},
	{"/v2/changes", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/audit_events", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/webhook_endpoints", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/webhook_endpoints/:id", ownEndpoint, theirEndpoint, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/webhook_endpoints/:id/secret", ownEndpoint, theirEndpoint, "POST, OPTIONS"},
	{"/v2/webhook_endpoints/:id/ping", ownEndpoint, theirEndpoint, "POST, OPTIONS"},
	{"/v2/webhook_endpoints/:id/replay", ownEndpoint, theirEndpoint, "POST, OPTIONS"},
	{"/v2/webhook_deliveries", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/webhook_deliveries/:id", ownDelivery, theirDelivery, "GET, HEAD, OPTIONS"},
	{"/v2/webhook_deliveries/:id/replay", ownDelivery, theirDelivery, "POST, OPTIONS"},
	{"/v2/events", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/groups", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/groups/:id", designers, theirGroup, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/groups/:id/memberships", designers, theirGroup, "GET, HEAD, OPTIONS"},
	{"/v2/groups/:id/relationships/courses", designers, theirGroup, "POST, DELETE, OPTIONS"},
	{"/v2/groups/:id/relationships/managers", designers, theirGroup, "POST, DELETE, OPTIONS"},
	{"/v2/groups/:id/relationships/people", designers, theirGroup, "POST, DELETE, OPTIONS"},
	{"/v2/memberships/:id", alanInDesigners, theirMembership, "GET, HEAD, DELETE, OPTIONS"},
	{"/v2/partnerships", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/partnerships/:id", alansPartnership, theirPart, "GET, HEAD, DELETE, OPTIONS"},
	{"/v2/people", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/people/:id", grace, theirPerson, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/people/:id/relationships/courses", ada, theirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/people/:id/relationships/groups", ada, theirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/property_definitions", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/property_definitions/:id", region, theirProperty, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/quizzes", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/quizzes/:id", shapesQuiz, theirQuiz, "GET, HEAD, OPTIONS"},
	{"/v2/school", "", "", "GET, HEAD, PUT, PATCH, OPTIONS"},
	{"/v2/submissions", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/submissions/:id", adasDrawing, theirSubmission, "GET, HEAD, OPTIONS"},
}

// resource is a path in the form of a route, with the value of its Allow header. If the path
// contains :id, id is the ID of an existing record, and theirs is the ID of a record of another
// school. theirs is blank if such records belong to no school.
type resource struct{ path, id, theirs, allow string }

// of returns the path with :id replaced by id.
func (r resource) of(id string) string { return strings.Replace(r.path, ":id", id, 1) }

// allowedMethods returns the methods for which the path has a route.
func (r resource) allowedMethods() []string {
	return strings.Split(strings.TrimSuffix(r.allow, ", OPTIONS"), ", ")
}

// readable reports whether the path has a route for GET.
func (r resource) readable() bool { return slices.Contains(r.allowedMethods(), "GET") }

// noun returns the segment of the path that names the resource, such as people, or "" if the path
// has no version.
func (r resource) noun() string {
	if segments := strings.Split(r.path, "/"); segments[1] == "v1" || segments[1] == "v2" {
		return segments[2]
	}
	return ""
}

// twin returns the same resource of v1 if it exists. It does not return people, which differ
// between v1 and v2.
func (r resource) twin() (resource, bool) {
	if r.noun() == person.Type {
		return resource{}, false
	}
	path, ok := strings.CutPrefix(r.path, "/v2/")
	i := slices.IndexFunc(resources, func(other resource) bool { return ok && other.path == "/v1/"+path })
	if i < 0 {
		return resource{}, false
	}
	return resources[i], true
}

// collections returns the paths of all lists that do not belong to a record.
func collections() []string {
	var paths []string
	for _, r := range resources {
		if r.id == "" && r.noun() != "" && r.noun() != "school" && r.readable() {
			paths = append(paths, r.path)
		}
	}
	return paths
}

// downloadPath is the path of submitted files.
const downloadPath = "/files/submissions/:id/:name"

// exportPath is the path of the export of a school.
const exportPath = "/v2/export"

// routes checks that resources lists exactly the routes of the server, apart from downloads and the
// export. Tests that iterate over resources thus cover all other routes.
func routes(t *testing.T, s *server) {
	routed, listed := map[string][]string{}, map[string][]string{}
	for _, r := range s.routes {
		if r.Path == downloadPath || r.Path == exportPath {
			continue
		}
		routed[r.Path] = append(routed[r.Path], r.Method)
	}
	for _, methods := range routed {
		slices.Sort(methods)
	}
	for _, r := range resources {
		listed[r.path] = slices.Sorted(slices.Values(r.allowedMethods()))
	}
	if diff := cmp.Diff(listed, routed); diff != "" {
		t.Errorf("resources (-) are not the routes (+):\n%s", diff)
	}
}
