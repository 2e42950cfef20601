package httpapi

import (
	"context"
	"encoding/json"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/property"
)

func (s *server) listCourses() handler {
	all := list(s, lists.Listing[course.Summary]{
		SchemaOf: s.links.courseSchema, List: s.app.Courses.List, ToResource: s.course,
		Included: true, Properties: property.Courses,
	})
	// Learners can filter only by attributes that they see: a filter by another attribute would
	// reveal its value.
	own := list(s, lists.Listing[course.Summary]{
		Schema: course.Schema.Only("uuid", "name", "permalink", "created_at", "updated_at"),
		List:   s.app.Courses.List, ToResource: s.course, Included: true,
	})
	return func(c *gin.Context, a app.Actor) error {
		if a.IsLearner() {
			return own(c, a)
		}
		return all(c, a)
	}
}

func (s *server) getCourse(c *gin.Context, a app.Actor) error {
	found, err := s.app.Courses.Get(c.Request.Context(), a, c.Param("id"))
	if err != nil {
		return err
	}
	return s.writeSingle(c, a, s.course(a, found))
}

type courseAttributes struct {
	Name                 string `json:"name"`
	EnrollmentsCount     int64  `json:"enrollments_count"`
	CourseEnrollmentLink string `json:"course_enrollment_link"`
	ShareCourseLink      string `json:"share_course_link"`
	Permalink            string `json:"permalink"`
	CreatedAt            string `json:"created_at"`
	UpdatedAt            string `json:"updated_at"`

	Properties json.RawMessage `json:"properties,omitempty"`
}

type courseRelationships struct {
	Categories             jsonapi.ToMany `json:"categories"`
	InstructorPartnerships jsonapi.ToMany `json:"instructor_partnerships"`
}

type courseLinks struct {
	Self     string       `json:"self"`
	Teaching string       `json:"teaching"`
	Build    jsonapi.Link `json:"build"`
}

// ownCourseAttributes contains the attributes of a course that its learners see.
type ownCourseAttributes struct {
	Name      string `json:"name"`
	Permalink string `json:"permalink"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

func (s *server) ownCourse(c course.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type: course.Type,
		ID:   c.ID.String(),
		Attributes: ownCourseAttributes{
			Name: c.Name, Permalink: c.Permalink, CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
		},
		Links: selfLink{Self: s.links.course(s.version, c.Permalink)},
	}
}

func (s *server) course(a app.Actor, c course.Summary) jsonapi.Resource {
	if a.IsLearner() {
		return s.ownCourse(c)
	}
	return jsonapi.Resource{
		Type: course.Type,
		ID:   c.ID.String(),
		Attributes: courseAttributes{
			Name:                 c.Name,
			EnrollmentsCount:     c.EnrollmentsCount,
			CourseEnrollmentLink: s.links.courseEnrollment(a.Slug()).around(c.EnrollToken),
			ShareCourseLink:      s.links.courseShare(a.Slug()).around(c.Permalink),
			Permalink:            c.Permalink,
			CreatedAt:            timestamp(c.CreatedAt),
			UpdatedAt:            timestamp(c.UpdatedAt),
			Properties:           documents.Properties(c.Properties, c.Defined),
		},
		Relationships: courseRelationships{
			Categories:             toMany(category.Type, c.Categories),
			InstructorPartnerships: toMany(instructorType, c.Instructors),
		},
		Links: courseLinks{
			Self:     s.links.course(s.version, c.Permalink),
			Teaching: s.links.courseTeaching(a.Slug(), c.Permalink),
			Build:    s.links.courseBuild(a.Slug(), c.Permalink),
		},
	}
}

// instructorType is the resource type of the partnerships in the relationship of a course to its
// instructors, and the name of that relationship.
const instructorType = "instructor_partnerships"

// ofCourse returns a handler that replaces a permalink in the path with the ID of the course and
// calls h.
func (s *server) ofCourse(h handler) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := s.app.Courses.Find(c.Request.Context(), a, c.Param("id"))
		if err != nil {
			return err
		}
		for i, p := range c.Params {
			if p.Key == "id" {
				c.Params[i].Value = id.String()
			}
		}
		return h(c, a)
	}
}

func (s *server) createCourse() handler {
	return createHandler(s, creation[app.CourseChanges, course.Summary]{
		types: []string{course.Type}, read: courseChanges, create: s.app.Courses.Create,
		url:        func(made course.Summary) string { return s.links.course(s.version, made.Permalink) },
		toResource: s.course,
	})
}

func (s *server) updateCourse() handler {
	return updateHandler(s, course.Type, courseChanges, s.app.Courses.Update, s.course)
}

// courseChanges reads the attributes and relationships of a course.
func courseChanges(d *request.Document) app.CourseChanges {
	return app.CourseChanges{
		Changes:     course.Changes{Name: d.Text("name"), Permalink: d.Text("permalink"), Properties: documents.ReadProperties(d)},
		Categories:  request.ToMany[category.ID](d, "categories", category.Type),
		Instructors: request.ToMany[person.PartnershipID](d, instructorType, instructorType, person.PartnershipType),
	}
}

// deleteCourse responds with 204. With force=true it deletes the course with all records that
// belong to it, and responds with 200 and the number of deleted records of each type.
func (s *server) deleteCourse(c *gin.Context, a app.Actor) error {
	return forcibleHandler(s, course.Type, s.app.Courses.Delete,
		func(ctx context.Context, a app.Actor, id course.ID) (map[string]int64, error) {
			gone, err := s.app.Courses.DeleteAll(ctx, a, id)
			return gone.Counts(), err
		})(c, a)
}
