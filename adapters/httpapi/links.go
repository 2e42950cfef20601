package httpapi

import (
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/course"
	"lyceum/domain/query"
)

// Links is the addresses on which the links of documents stand, each without a
// trailing slash and perhaps with a path. They come from the configuration, never
// from a request.
type Links struct {
	Base     string // of the API
	App      string // of the web application
	Academy  string // of the learners' site
	Download string // of the file host
}

func (l Links) category(id uuid.UUID) string { return l.Base + "/v1/categories/" + id.String() }

func (l Links) course(permalink string) string { return l.Base + "/v1/courses/" + permalink }

func (l Links) courseTeaching(permalink string) string { return l.App + "/courses/" + permalink }

func (l Links) courseBuild(permalink string) jsonapi.Link {
	return jsonapi.Link{Href: l.App + "/courses/" + permalink + "/builder", Methods: []string{"get"}}
}

func (l Links) person(id uuid.UUID) string { return l.Base + "/v1/people/" + id.String() }

func (l Links) personTeaching(id uuid.UUID) string { return l.App + "/people/" + id.String() }

// affixes is what a link that is an attribute has around a text of the record.
// The documents and the schema, which makes it an attribute to filter by, both
// take it from here.
type affixes struct{ prefix, suffix string }

func (a affixes) around(text string) string { return a.prefix + text + a.suffix }

func (l Links) courseEnrollment() affixes { return affixes{prefix: l.Academy + "/c/"} }

func (l Links) courseShare() affixes {
	return affixes{prefix: l.Academy + "/outline/", suffix: "/cover"}
}

// courseSchema is the schema of courses with the links among their attributes.
func (l Links) courseSchema() query.Schema[course.Summary] {
	enrollment, share := l.courseEnrollment(), l.courseShare()
	return course.Schema.
		With("course_enrollment_link", enrollment.prefix, "enroll_token", enrollment.suffix).
		With("share_course_link", share.prefix, "permalink", share.suffix)
}
