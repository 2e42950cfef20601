package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
)

func (s *server) listCourses() handler {
	return list(s, listing[course.Summary]{
		schema: s.links.courseSchema(), list: s.app.Courses.List, toResource: s.course,
		included: &jsonapi.Included{},
	})
}

func (s *server) getCourse(c *gin.Context, a app.Actor) error {
	found, err := s.app.Courses.Get(c.Request.Context(), a, c.Param("id"))
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.course(a, found)})
}

type courseAttributes struct {
	Name                 string `json:"name"`
	EnrollmentsCount     int64  `json:"enrollments_count"`
	CourseEnrollmentLink string `json:"course_enrollment_link"`
	ShareCourseLink      string `json:"share_course_link"`
	Permalink            string `json:"permalink"`
	CreatedAt            string `json:"created_at"`
	UpdatedAt            string `json:"updated_at"`
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

func (s *server) course(_ app.Actor, c course.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type: course.Type,
		ID:   c.ID.String(),
		Attributes: courseAttributes{
			Name:                 c.Name,
			EnrollmentsCount:     c.EnrollmentsCount,
			CourseEnrollmentLink: s.links.courseEnrollment().around(c.EnrollToken),
			ShareCourseLink:      s.links.courseShare().around(c.Permalink),
			Permalink:            c.Permalink,
			CreatedAt:            timestamp(c.CreatedAt),
			UpdatedAt:            timestamp(c.UpdatedAt),
		},
		Relationships: courseRelationships{
			Categories:             many(category.Type, c.Categories),
			InstructorPartnerships: many(instructorType, c.Instructors),
		},
		Links: courseLinks{
			Self:     s.links.course(s.version, c.Permalink),
			Teaching: s.links.courseTeaching(c.Permalink),
			Build:    s.links.courseBuild(c.Permalink),
		},
	}
}
