package httpapi

import (
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/query"
)

// Links is the base URLs of the links in documents, without a trailing slash. They come
// from the configuration, never from a request.
//
// A link whose path the specification fixes is the same in both versions of the API. A
// method with a parameter v returns a link within the version of the document.
type Links struct {
	Base     string // of the API
	App      string // of the web application
	Academy  string // of the website for learners
	Download string // of the file host
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

func (l Links) coupon(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/coupons/" + id.String()
}

func (l Links) couponActivation(v version, id uuid.UUID) string {
	return l.coupon(v, id) + "/activation"
}

func (l Links) couponTeaching(id uuid.UUID) string { return l.App + "/coupons/" + id.String() }

func (l Links) redemption(id uuid.UUID) string {
	return l.Base + "/v2/coupon_redemptions/" + id.String()
}

func (l Links) courseTeaching(permalink string) string { return l.App + "/courses/" + permalink }

func (l Links) courseBuild(permalink string) jsonapi.Link {
	return jsonapi.Link{Href: l.App + "/courses/" + permalink + "/builder", Methods: []string{"get"}}
}

func (l Links) person(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/people/" + id.String()
}

func (l Links) personTeaching(id uuid.UUID) string { return l.App + "/people/" + id.String() }

func (l Links) group(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/groups/" + id.String()
}

func (l Links) groupTeaching(id uuid.UUID) string { return l.App + "/groups/" + id.String() }

func (l Links) groupMemberships(v version, id uuid.UUID) string {
	return l.group(v, id) + "/memberships"
}

func (l Links) membership(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/memberships/" + id.String()
}

func (l Links) bulkJob(v version, id uuid.UUID) string {
	return l.Base + string(v) + "/bulk/jobs/" + id.String()
}

func (l Links) assignmentTeaching(id uuid.UUID) string { return l.App + "/assignments/" + id.String() }

func (l Links) assignmentSubmissions(id uuid.UUID) string {
	return l.Base + "/v2/assignments/" + id.String() + "/submissions"
}

func (l Links) submission(id uuid.UUID) string { return l.Base + "/v2/submissions/" + id.String() }

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

func (l Links) quizBuild(id uuid.UUID) string { return l.App + "/quizzes/" + id.String() + "/builder" }

// affixes are the texts before and after the stored text in an attribute that is a link. Documents
// use them to build links, and schemas to filter by them.
type affixes struct{ prefix, suffix string }

func (a affixes) around(text string) string { return a.prefix + text + a.suffix }

func (l Links) courseEnrollment() affixes { return affixes{prefix: l.Academy + "/c/"} }

func (l Links) courseShare() affixes {
	return affixes{prefix: l.Academy + "/outline/", suffix: "/cover"}
}

func (l Links) groupEnrollment() affixes { return affixes{prefix: l.Academy + "/g/"} }

// courseSchema is the schema of courses with the links that are attributes.
func (l Links) courseSchema() query.Schema[course.Summary] {
	enrollment, share := l.courseEnrollment(), l.courseShare()
	return course.Schema.
		With("course_enrollment_link", enrollment.prefix, "enroll_token", enrollment.suffix).
		With("share_course_link", share.prefix, "permalink", share.suffix)
}

// groupSchema is the schema of groups with the link that is an attribute.
func (l Links) groupSchema() query.Schema[group.Summary] {
	enrollment := l.groupEnrollment()
	return group.Schema.
		With("group_enrollment_link", enrollment.prefix, "enroll_token", enrollment.suffix)
}
