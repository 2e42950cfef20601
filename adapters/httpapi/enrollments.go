package httpapi

import (
	"context"
	"encoding/json"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// The types of resource identifiers in requests about the courses of a person. Each type determines
// a role.
const (
	enrolledCourses = "enrolled-courses"
	managedCourses  = "managed-courses"
)

var courseRoles = map[string]enrollment.Role{
	enrolledCourses: enrollment.Learner,
	managedCourses:  enrollment.Manager,
}

// changeCourseRoles returns the handler that calls change with the courses and roles in a
// request about a person.
func (s *server) changeCourseRoles(
	change func(ctx context.Context, a app.Actor, id person.ID, roles []app.CourseRole) error,
) handler {
	role := func(named request.Identifier) app.CourseRole {
		return app.CourseRole{Course: course.ID{UUID: named.ID}, Role: courseRoles[named.Type]}
	}
	return relationshipHandler(s, change, role, enrolledCourses, managedCourses)
}

func (s *server) listEnrollments() handler {
	return listByRef(s, s.app.Enrollments.ListOf, lists.Listing[enrollment.Summary]{
		Schema: enrollment.Schema, ToResource: s.enrollment,
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
		Links: selfLink{Self: s.links.enrollment(e.ID.UUID)},
	}
}
