package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// The identifier types of a person's courses, each of which is a role.
const (
	enrolledCourses = "enrolled-courses"
	managedCourses  = "managed-courses"
)

var courseRoles = map[string]enrollment.Role{
	enrolledCourses: enrollment.Learner,
	managedCourses:  enrollment.Manager,
}

func (s *server) enroll(c *gin.Context, a app.Actor) error {
	return s.changePlaces(c, a, s.app.Enrollments.Enroll)
}

func (s *server) unenroll(c *gin.Context, a app.Actor) error {
	return s.changePlaces(c, a, s.app.Enrollments.Unenroll)
}

// changePlaces applies change to the courses that the request names.
func (s *server) changePlaces(
	c *gin.Context, a app.Actor,
	change func(ctx context.Context, a app.Actor, id person.ID, places []app.Place) error,
) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	courses, err := s.readIdentifiers(c, enrolledCourses, managedCourses)
	if err != nil {
		return err
	}
	places := make([]app.Place, len(courses))
	for i, named := range courses {
		places[i] = app.Place{Course: course.ID{UUID: named.id}, Role: courseRoles[named.typ]}
	}
	if err := change(c.Request.Context(), a, person.ID{UUID: id}, places); err != nil {
		return err
	}
	noContent(c)
	return nil
}
