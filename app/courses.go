package app

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Courses is what can be done with courses.
type Courses struct{ deps }

// List returns a page of courses.
func (u *Courses) List(ctx context.Context, a Actor, q query.Query) (query.Result[course.Summary], error) {
	return u.store.Read(a.school).Courses.List(ctx, q)
}

// Get returns the course that ref names: its UUID or its permalink.
func (u *Courses) Get(ctx context.Context, a Actor, ref string) (course.Summary, error) {
	courses := u.store.Read(a.school).Courses
	id, err := courseID(ctx, courses, ref)
	if err != nil {
		return course.Summary{}, err
	}
	return courses.Get(ctx, id)
}

// courseID returns the id of the course that ref, a UUID or a permalink, names.
// A UUID is taken as it is.
func courseID(ctx context.Context, courses ports.CourseReader, ref string) (course.ID, error) {
	if id, ok := text.UUID(ref); ok {
		return course.ID{UUID: id}, nil
	}
	return courses.ByPermalink(ctx, ref)
}
