package httpapi

import (
	"context"
	"encoding/json"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
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
	place := func(named request.Identifier) app.Place {
		return app.Place{Course: course.ID{UUID: named.ID}, Role: courseRoles[named.Type]}
	}
	return relate(s, change, place, enrolledCourses, managedCourses)
}

func (s *server) listEnrollments() handler {
	return listByRef(s, s.app.Enrollments.ListOf, listing[enrollment.Summary]{
		schema: enrollment.Schema, toResource: s.enrollment,
	})
}

type enrollmentAttributes struct {
	CreatedAt string       `json:"created_at"`
	UpdatedAt string       `json:"updated_at"`
	Role      string       `json:"role"`
	Progress  *json.Number `json:"progress"` // nil for a manager
}

type enrollmentRelationships struct {
	Person jsonapi.ToOne `json:"person"`
	Course jsonapi.ToOne `json:"course"`
}

type enrollmentLinks struct {
	Self string `json:"self"`
}

func (s *server) enrollment(_ app.Actor, e enrollment.Summary) jsonapi.Resource {
	attributes := enrollmentAttributes{
		CreatedAt: timestamp(e.CreatedAt), UpdatedAt: timestamp(e.UpdatedAt), Role: e.Role.String(),
	}
	if e.Progress != nil {
		progress := json.Number(e.Progress.String())
		attributes.Progress = &progress
	}
	return jsonapi.Resource{
		Type:       enrollment.Type,
		ID:         e.ID.String(),
		Attributes: attributes,
		Relationships: enrollmentRelationships{
			Person: jsonapi.One(person.Type, e.Person.String()),
			Course: jsonapi.One(course.Type, e.Course.String()),
		},
		Links: enrollmentLinks{Self: s.links.enrollment(e.ID.UUID)},
	}
}
