package routes

import (
	"slices"
	"strings"

	"lyceum/domain/person"
	"lyceum/test/api/apitest/records"
)

// All lists every path of the API with its methods. Tests of rules that apply to all operations
// iterate over it: for example, the tests of methods, isolation, hostile input, version parity and
// golden files.
var All = []Resource{
	{"/", "", "", "GET, HEAD, OPTIONS"},
	{"/favicon.ico", "", "", "GET, HEAD, OPTIONS"},
	{"/favicon.svg", "", "", "GET, HEAD, OPTIONS"},
	{"/healthz", "", "", "GET, HEAD, OPTIONS"},
	{"/readyz", "", "", "GET, HEAD, OPTIONS"},
	{"/openapi.json", "", "", "GET, HEAD, OPTIONS"},
	{"/docs", "", "", "GET, HEAD, OPTIONS"},
	{"/docs/:id", Script, "", "GET, HEAD, OPTIONS"},
	{"/v1/bulk/groups", "", "", "POST, OPTIONS"},
	{"/v1/bulk/jobs/:id", records.BulkJob, records.TheirBulkJob, "GET, HEAD, OPTIONS"},
	{"/v1/bulk/people", "", "", "POST, OPTIONS"},
	{"/v1/analytics/courses", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/analytics/quiz_scores", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/analytics/quiz_raw_answers", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/assignments", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/categories", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v1/categories/:id", records.Design, records.TheirCategory, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v1/coupons", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/coupons/:id", records.EarlyBird, records.TheirCoupon, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v1/coupons/:id/activation", records.EarlyBird, records.TheirCoupon, "POST, DELETE, OPTIONS"},
	{"/v1/courses", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/courses/:id", records.Drawing, records.TheirCourse, "GET, HEAD, OPTIONS"},
	{"/v1/groups", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v1/groups/:id", records.Singers, records.TheirGroup, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v1/groups/:id/memberships", records.Designers, records.TheirGroup, "GET, HEAD, OPTIONS"},
	{"/v1/groups/:id/relationships/courses", records.Designers, records.TheirGroup, "POST, OPTIONS"},
	{"/v1/groups/:id/relationships/people", records.Designers, records.TheirGroup, "POST, OPTIONS"},
	{"/v1/learners", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v1/learners/:id", records.Ada, records.TheirPerson, "GET, HEAD, DELETE, OPTIONS"},
	{"/v1/memberships/:id", records.AdaInDesigners, records.TheirMembership, "GET, HEAD, DELETE, OPTIONS"},
	{"/v1/people", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/people/:id", records.Grace, records.TheirPerson, "GET, HEAD, DELETE, OPTIONS"},
	{"/v1/people/:id/relationships/courses", records.Ada, records.TheirPerson, "POST, DELETE, OPTIONS"},
	{"/v1/people/:id/relationships/groups", records.Ada, records.TheirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/api_keys", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/api_keys/:id", records.OwnKey, records.TheirKey, "GET, HEAD, DELETE, OPTIONS"},
	{"/v2/api_keys/:id/rotation", records.OwnKey, records.TheirKey, "POST, OPTIONS"},
	{"/v2/bulk/groups", "", "", "POST, OPTIONS"},
	{"/v2/bulk/jobs/:id", records.BulkJob, records.TheirBulkJob, "GET, HEAD, OPTIONS"},
	{"/v2/bulk/people", "", "", "POST, OPTIONS"},
	{"/v2/categories", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/categories/:id", records.Design, records.TheirCategory, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/courses/:id", records.Drawing, records.TheirCourse, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/categories", records.Drawing, records.TheirCourse, "POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/instructor_partnerships", records.Drawing, records.TheirCourse, "POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/learners", records.Drawing, records.TheirCourse, "POST, DELETE, OPTIONS"},
	{"/v2/courses/:id/relationships/managers", records.Drawing, records.TheirCourse, "POST, DELETE, OPTIONS"},
	{"/v2/coupons", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/coupons/:id", records.TenOff, records.TheirCoupon, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/coupons/:id/activation", records.TenOff, records.TheirCoupon, "POST, DELETE, OPTIONS"},
	{"/v2/coupons/:id/redemptions", records.TenOff, records.TheirCoupon, "GET, HEAD, POST, OPTIONS"},
	{"/v2/coupon_redemptions/:id", records.AdasRedemption, records.TheirRedemption, "GET, HEAD, OPTIONS"},
	{"/invitations/:id", records.InvitationToken, "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/invitations/:id/acceptance", records.InvitationToken, "", "POST, OPTIONS"},
	{"/v2/people/:id/tokens", records.Grace, records.TheirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/people/:id/invitation", records.Grace, records.TheirPerson, "GET, HEAD, POST, OPTIONS"},
	{"/v1/quizzes", "", "", "GET, HEAD, OPTIONS"},
	{"/v1/quizzes/:id", records.ShapesQuiz, records.TheirQuiz, "GET, HEAD, OPTIONS"},
	{"/v2/activities", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/activities/:id", records.Light, records.TheirActivity, "GET, HEAD, OPTIONS"},
	{"/v2/analytics/courses", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/analytics/quiz_scores", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/analytics/quiz_raw_answers", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/assignments", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/activity_completions", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/activities/:id/completions", records.Lines, records.TheirActivity, "POST, OPTIONS"},
	{"/v2/assignments/:id/submissions", records.StillLife, records.TheirAssignment, "GET, HEAD, POST, OPTIONS"},
	{"/v2/courses/:id/attempts", records.Singing, records.TheirCourse, "POST, OPTIONS"},
	{"/v2/quiz_attempts", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/quizzes/:id/answers", records.ShapesQuiz, records.TheirQuiz, "POST, OPTIONS"},
	{"/v2/courses/:id/activities", records.Drawing, records.TheirCourse, "GET, HEAD, OPTIONS"},
	{"/v2/courses/:id/structure", records.Drawing, records.TheirCourse, "GET, HEAD, PUT, OPTIONS"},
	{"/v2/courses/:id/enrollments", records.Drawing, records.TheirCourse, "GET, HEAD, OPTIONS"},
	{"/v2/enrollments/:id", records.AdaInDrawing, records.TheirEnrollment, "GET, HEAD, OPTIONS"},
	{"/v2/changes", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/audit_events", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/webhook_endpoints", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/webhook_endpoints/:id", records.OwnEndpoint, records.TheirEndpoint, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/webhook_endpoints/:id/secret", records.OwnEndpoint, records.TheirEndpoint, "POST, OPTIONS"},
	{"/v2/webhook_endpoints/:id/ping", records.OwnEndpoint, records.TheirEndpoint, "POST, OPTIONS"},
	{"/v2/webhook_endpoints/:id/replay", records.OwnEndpoint, records.TheirEndpoint, "POST, OPTIONS"},
	{"/v2/webhook_deliveries", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/webhook_deliveries/:id", records.OwnDelivery, records.TheirDelivery, "GET, HEAD, OPTIONS"},
	{"/v2/webhook_deliveries/:id/replay", records.OwnDelivery, records.TheirDelivery, "POST, OPTIONS"},
	{"/v2/events", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/groups", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/groups/:id", records.Designers, records.TheirGroup, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/groups/:id/memberships", records.Designers, records.TheirGroup, "GET, HEAD, OPTIONS"},
	{"/v2/groups/:id/relationships/courses", records.Designers, records.TheirGroup, "POST, DELETE, OPTIONS"},
	{"/v2/groups/:id/relationships/managers", records.Designers, records.TheirGroup, "POST, DELETE, OPTIONS"},
	{"/v2/groups/:id/relationships/people", records.Designers, records.TheirGroup, "POST, DELETE, OPTIONS"},
	{"/v2/memberships/:id", records.AlanInDesigners, records.TheirMembership, "GET, HEAD, DELETE, OPTIONS"},
	{"/v2/partnerships", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/partnerships/:id", records.AlansPartnership, records.TheirPart, "GET, HEAD, DELETE, OPTIONS"},
	{"/v2/people", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/people/:id", records.Grace, records.TheirPerson, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/people/:id/relationships/courses", records.Ada, records.TheirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/people/:id/relationships/groups", records.Ada, records.TheirPerson, "POST, DELETE, OPTIONS"},
	{"/v2/property_definitions", "", "", "GET, HEAD, POST, OPTIONS"},
	{"/v2/property_definitions/:id", records.Region, records.TheirProperty, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"},
	{"/v2/quizzes", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/quizzes/:id", records.ShapesQuiz, records.TheirQuiz, "GET, HEAD, OPTIONS"},
	{"/v2/school", "", "", "GET, HEAD, PUT, PATCH, OPTIONS"},
	{"/v2/submissions", "", "", "GET, HEAD, OPTIONS"},
	{"/v2/submissions/:id", records.AdasDrawing, records.TheirSubmission, "GET, HEAD, OPTIONS"},
}

// Resource is a path in the form of a route, with the value of its Allow header. If the path
// contains :id, id is the ID of an existing record, and theirs is the ID of a record of another
// school. theirs is blank if such records belong to no school.
type Resource struct{ Path, ID, Theirs, Allow string }

// Of returns the path with :id replaced by id.
func (r Resource) Of(id string) string { return strings.Replace(r.Path, ":id", id, 1) }

// AllowedMethods returns the methods for which the path has a route.
func (r Resource) AllowedMethods() []string {
	return strings.Split(strings.TrimSuffix(r.Allow, ", OPTIONS"), ", ")
}

// Readable reports whether the path has a route for GET.
func (r Resource) Readable() bool { return slices.Contains(r.AllowedMethods(), "GET") }

// Noun returns the segment of the path that names the resource, such as people, or "" if the path
// has no version.
func (r Resource) Noun() string {
	if segments := strings.Split(r.Path, "/"); segments[1] == "v1" || segments[1] == "v2" {
		return segments[2]
	}
	return ""
}

// Twin returns the same resource of v1 if it exists. It does not return people, which differ
// between v1 and v2.
func (r Resource) Twin() (Resource, bool) {
	if r.Noun() == person.Type {
		return Resource{}, false
	}
	path, ok := strings.CutPrefix(r.Path, "/v2/")
	i := slices.IndexFunc(All, func(other Resource) bool { return ok && other.Path == "/v1/"+path })
	if i < 0 {
		return Resource{}, false
	}
	return All[i], true
}

// Collections returns the paths of all lists that do not belong to a record.
func Collections() []string {
	var paths []string
	for _, r := range All {
		if r.ID == "" && r.Noun() != "" && r.Noun() != "school" && r.Readable() {
			paths = append(paths, r.Path)
		}
	}
	return paths
}
