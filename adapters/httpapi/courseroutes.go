package httpapi

import (
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// courseRoutes is the routes of v2 by which courses are written.
func (s *server) courseRoutes(on register) {
	const path = "/v2/courses/:id"
	on("POST", "/v2/courses", s.handle(s.createCourse))
	on("PATCH", path, s.handle(s.ofCourse(s.updateCourse)))
	on("DELETE", path, s.handle(s.ofCourse(s.deleteCourse))).is(classLong)

	for method, how := range map[string]app.Relating{"POST": app.Attach, "PATCH": app.Replace, "DELETE": app.Detach} {
		on(method, path+"/relationships/categories", s.handle(s.ofCourse(
			relate(s, s.app.Courses.Categories(how), idOf, category.Type))))
		on(method, path+"/relationships/instructor_partnerships", s.handle(s.ofCourse(
			relate(s, s.app.Courses.Instructors(how), idOf, instructorType, person.PartnershipType))))
	}
	for name, role := range map[string]enrollment.Role{"learners": enrollment.Learner, "managers": enrollment.Manager} {
		on("POST", path+"/relationships/"+name, s.handle(s.ofCourse(
			relate(s, s.app.Enrollments.AddPeople(role), idOf, person.Type))))
		on("DELETE", path+"/relationships/"+name, s.handle(s.ofCourse(
			relate(s, s.app.Enrollments.RemovePeople(role), idOf, person.Type))))
	}
}
