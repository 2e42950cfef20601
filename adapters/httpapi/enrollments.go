package httpapi

import (
	"context"

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

// changePlaces applies change to the courses that a request about a person names.
func (s *server) changePlaces(
	change func(ctx context.Context, a app.Actor, id person.ID, places []app.Place) error,
) handler {
	place := func(named identifier) app.Place {
		return app.Place{Course: course.ID{UUID: named.id}, Role: courseRoles[named.typ]}
	}
	return relate(s, change, place, enrolledCourses, managedCourses)
}
