package httpapi

import (
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/query"
)

// Links contains the base URLs of the links in documents, without a trailing slash. They come from
// the configuration, never from a request. App and Academy may contain SchoolPlaceholder in
// the place of the slug of the school.
//
// A method with a parameter v returns a link in that version of the API. The other links are the
// same in both versions.
type Links struct {
	Base     string // base URL of the API
	App      string // base URL of the web application
	Academy  string // base URL of the website for learners
	Download string // base URL of the file host
}

// SchoolPlaceholder is the part of a base URL that is replaced with the slug of the school.
const SchoolPlaceholder = "{school}"

// inSchool returns base, with slug in the place of SchoolPlaceholder, followed by path.
func inSchool(base, slug, path string) string {
	before, after, ok := strings.Cut(base, SchoolPlaceholder)
	if !ok {
		return base + path
	}
	return before + slug + after + path
}

func (l Links) category(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/categories/" + id.String()
}

func (l Links) propertyDefinition(id uuid.UUID) string {
	return l.Base + string(v2) + "/property_definitions/" + id.String()
}

func (l Links) course(v version, permalink string) string {
	return l.Base + string(v) + "/courses/" + permalink
}

func (l Links) school() string { return l.Base + string(v2) + "/school" }

func (l Links) apiKey(id uuid.UUID) string { return l.Base + string(v2) + "/api_keys/" + id.String() }

func (l Links) webhookEndpoint(id uuid.UUID) string {
	return l.Base + string(v2) + "/webhook_endpoints/" + id.String()
}

func (l Links) webhookDelivery(id uuid.UUID) string {
	return l.Base + string(v2) + "/webhook_deliveries/" + id.String()
}

func (l Links) coupon(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/coupons/" + id.String()
}

func (l Links) couponActivation(v version, id uuid.UUID) string {
	return l.coupon(v, id) + "/activation"
}

func (l Links) couponTeaching(slug string, id uuid.UUID) string {
	return inSchool(l.App, slug, "/coupons/"+id.String())
}

func (l Links) redemption(id uuid.UUID) string {
	return l.Base + "/v2/coupon_redemptions/" + id.String()
}

func (l Links) courseTeaching(slug, permalink string) string {
	return inSchool(l.App, slug, "/courses/"+permalink)
}

func (l Links) courseBuild(slug, permalink string) jsonapi.Link {
	return jsonapi.Link{Href: inSchool(l.App, slug, "/courses/"+permalink+"/builder"), Methods: []string{"get"}}
}

func (l Links) person(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/people/" + id.String()
}

func (l Links) personTokens(id uuid.UUID) string { return l.person(v2, id) + "/tokens" }

func (l Links) personTeaching(slug string, id uuid.UUID) string {
	return inSchool(l.App, slug, "/people/"+id.String())
}

func (l Links) group(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/groups/" + id.String()
}

func (l Links) groupTeaching(slug string, id uuid.UUID) string {
	return inSchool(l.App, slug, "/groups/"+id.String())
}

func (l Links) groupMemberships(v version, id uuid.UUID) string {
	return l.group(v, id) + "/memberships"
}

func (l Links) membership(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/memberships/" + id.String()
}

func (l Links) bulkJob(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/bulk/jobs/" + id.String()
}

func (l Links) assignmentTeaching(slug string, id uuid.UUID) string {
	return inSchool(l.App, slug, "/assignments/"+id.String())
}

func (l Links) assignmentSubmissions(id uuid.UUID) string {
	return l.Base + "/v2/assignments/" + id.String() + "/submissions"
}

func (l Links) submission(id uuid.UUID) string { return l.Base + "/v2/submissions/" + id.String() }

// servesFiles reports whether download links lead to this server.
func (l Links) servesFiles() bool { return l.Download == l.Base+"/files" }

func (l Links) download(id uuid.UUID, name string) string {
	return l.Download + "/submissions/" + id.String() + "/" + name
}

// Records without a URL of their own link to their list.

func (l Links) events() string { return l.Base + "/v2/events" }

func (l Links) completion(key string) string {
	return l.Base + "/v2/activity_completions?filter%5Buuid%5D=" + key
}

func (l Links) quizAttempts() string { return l.Base + "/v2/quiz_attempts" }

func (l Links) quizAttempt(id uuid.UUID) string {
	return l.quizAttempts() + "?filter%5Buuid%5D=" + id.String()
}

func (l Links) courseAttempt(id uuid.UUID) string {
	return l.Base + "/v2/analytics/courses?filter%5Bcourse_attempt.id%5D=" + id.String()
}

func (l Links) activity(id uuid.UUID) string { return l.Base + "/v2/activities/" + id.String() }

func (l Links) partnership(id uuid.UUID) string { return l.Base + "/v2/partnerships/" + id.String() }

func (l Links) structure(course uuid.UUID) string {
	return l.Base + "/v2/courses/" + course.String() + "/structure"
}

func (l Links) enrollment(id uuid.UUID) string { return l.Base + "/v2/enrollments/" + id.String() }

func (l Links) quiz(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/quizzes/" + id.String()
}

func (l Links) quizBuild(slug string, id uuid.UUID) string {
	return inSchool(l.App, slug, "/quizzes/"+id.String()+"/builder")
}

// affixes contains the texts before and after the stored text in an attribute whose value is a
// link. Documents use them to build the link, and schemas to filter by it.
type affixes struct{ prefix, suffix string }

func (a affixes) around(text string) string { return a.prefix + text + a.suffix }

// SignIn returns the URL of the sign-in link with a token, for the school with a slug.
func (l Links) SignIn(slug, token string) string { return inSchool(l.Academy, slug, "/sign-in/"+token) }

// Start returns the URL of the start page of the academy of the school with a slug.
func (l Links) Start(slug string) string { return inSchool(l.Academy, slug, "") }

func (l Links) courseEnrollment(slug string) affixes {
	return affixes{prefix: inSchool(l.Academy, slug, "/c/")}
}

func (l Links) courseShare(slug string) affixes {
	return affixes{prefix: inSchool(l.Academy, slug, "/outline/"), suffix: "/cover"}
}

func (l Links) groupEnrollment(slug string) affixes {
	return affixes{prefix: inSchool(l.Academy, slug, "/g/")}
}

// courseSchema returns the schema of courses, extended by the attributes whose values are links.
func (l Links) courseSchema(a app.Actor) query.Schema[course.Summary] {
	enrollment, share := l.courseEnrollment(a.Slug()), l.courseShare(a.Slug())
	return course.Schema.
		With("course_enrollment_link", enrollment.prefix, "enroll_token", enrollment.suffix).
		With("share_course_link", share.prefix, "permalink", share.suffix)
}

// groupSchema returns the schema of groups, extended by the attribute whose value is a link.
func (l Links) groupSchema(a app.Actor) query.Schema[group.Summary] {
	enrollment := l.groupEnrollment(a.Slug())
	return group.Schema.
		With("group_enrollment_link", enrollment.prefix, "enroll_token", enrollment.suffix)
}
