package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// instructorType is the type of a partnership among the instructors of a course.
const instructorType = "instructor_partnerships"

// ofCourse lets the path of a request about a course name it by its permalink
// too: h finds the id in its place.
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

func (s *server) createCourse(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, course.Type)
	if err != nil {
		return err
	}
	told := courseChange(d)
	made, err := try(d.Faults, a, func(a app.Actor) (course.Summary, error) {
		return s.app.Courses.Create(c.Request.Context(), a, told)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.course(s.version, made.Permalink), s.course(a, made))
}

func (s *server) updateCourse(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readChange(c, id, course.Type)
	if err != nil {
		return err
	}
	change := courseChange(d)
	changed, err := try(d.Faults, a, func(a app.Actor) (course.Summary, error) {
		return s.app.Courses.Update(c.Request.Context(), a, course.ID{UUID: id}, change)
	})
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.course(a, changed)})
}

// courseChange reads what the document says of a course.
func courseChange(d *request.Document) app.CourseChange {
	return app.CourseChange{
		Edit:        course.Edit{Name: d.Text("name"), Permalink: d.Text("permalink")},
		Categories:  request.ToMany[category.ID](d, "categories", category.Type),
		Instructors: request.ToMany[person.PartnershipID](d, instructorType, instructorType, person.PartnershipType),
	}
}

// removedMeta tells how much went with a course.
type removedMeta struct {
	Removed map[string]int64 `json:"removed"`
}

// deleteCourse answers 204; or, when the request insists (force=true), 200 with
// what went with the course.
func (s *server) deleteCourse(c *gin.Context, a app.Actor) error {
	force, err := isForced(respond.StateOf(c).Query)
	if err != nil {
		return err
	}
	if force {
		if err := a.Require(school.Admin); err != nil {
			return err
		}
	}
	if !force {
		return remove(s, s.app.Courses.Delete, course.Type)(c, a)
	}
	id, err := pathID(c)
	if err != nil {
		return err
	}
	if err := s.checkDeletion(c, id, course.Type); err != nil {
		return err
	}
	s.await(c)
	gone, err := s.app.Courses.DeleteAll(c.Request.Context(), a, course.ID{UUID: id})
	if err != nil {
		return err
	}
	return s.Write(c, http.StatusOK, jsonapi.Note{Meta: removedMeta{Removed: gone.Counts()}})
}

// isForced tells whether a request says force=true.
func isForced(query []respond.Parameter) (force bool, err error) {
	for _, p := range query {
		if p.Name != "force" {
			continue
		}
		switch {
		case p.Broken || p.Value != "true" && p.Value != "false":
			return false, fault.Parameterf(p.Name, "must be true or false")
		case p.Value == "true":
			force = true
		}
	}
	return force, nil
}
