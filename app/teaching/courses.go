package teaching

import (
	"context"

	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/structure"
)

// Statistics returns the statistics of the courses that the person may use. For the zero period it
// chooses one.
func (t *Teaching) Statistics(ctx context.Context, s Staff, p analytics.Period) (analytics.Statistics, error) {
	return t.app.Analytics.Statistics(ctx, s.actor.PermitStaff(), s.courses, p)
}

// Courses returns a page of courses. An instructor sees the courses that they instruct.
func (t *Teaching) Courses(ctx context.Context, s Staff, q query.Query) (query.Result[course.Summary], error) {
	a, q := s.within(q, course.Schema.Attr("uuid"))
	return t.app.Courses.List(ctx, a, q)
}

// Course returns the course ref, which is an ID or a permalink.
func (t *Teaching) Course(ctx context.Context, s Staff, ref string) (course.Summary, error) {
	c, err := t.app.Courses.Get(ctx, s.actor.PermitStaff(), ref)
	if err == nil {
		_, err = s.onCourse(c.ID)
	}
	if err != nil {
		return course.Summary{}, err
	}
	return c, nil
}

// CreateCourse adds a course. If the form was processed before, it returns the course that was added
// then.
func (t *Teaching) CreateCourse(ctx context.Context, s Staff, f Form, e app.CourseChanges) (made course.Summary, err error) {
	a, err := s.manager()
	if err != nil {
		return course.Summary{}, err
	}
	id, again, err := t.once(ctx, a, f, func(ctx context.Context, a usecase.Actor) (string, error) {
		made, err = t.app.Courses.Create(ctx, a, e)
		return made.ID.String(), err
	})
	if err == nil && again {
		return t.app.Courses.Get(ctx, a, id)
	}
	return made, err
}

// UpdateCourse changes a course. An instructor cannot change the instructors and categories.
func (t *Teaching) UpdateCourse(ctx context.Context, s Staff, id course.ID, e app.CourseChanges) (course.Summary, error) {
	a, err := s.onCourse(id)
	if err == nil && (e.Instructors != nil || e.Categories != nil) {
		a, err = s.manager()
	}
	if err != nil {
		return course.Summary{}, err
	}
	return t.app.Courses.Update(ctx, a, id, e)
}

// DeleteCourse deletes a course. If the course has learner data, only an owner can delete it, by
// setting force.
func (t *Teaching) DeleteCourse(ctx context.Context, s Staff, id course.ID, force bool) error {
	if force {
		a, err := s.owner()
		if err == nil {
			_, err = t.app.Courses.DeleteAll(ctx, a, id)
		}
		return err
	}
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Courses.Delete(ctx, a, id)
}

// Instructors returns the instructors of the school by their partnerships, without their properties,
// for a manager.
func (t *Teaching) Instructors(ctx context.Context, s Staff) (map[person.PartnershipID]person.Summary, error) {
	a, err := s.manager()
	if err != nil {
		return nil, err
	}
	held, err := t.app.Partnerships.List(ctx, a, query.Query{Page: query.AllRows()})
	if err != nil {
		return nil, err
	}
	of := map[person.ID][]person.PartnershipID{}
	var ids []person.ID
	for _, p := range held.Items {
		if p.Role == person.Instructor {
			of[p.Person] = append(of[p.Person], p.ID)
			ids = append(ids, p.Person)
		}
	}
	people, err := t.app.People.List(ctx, a, query.Query{
		Where: query.HasAnyID(person.Schema.Attr("uuid"), ids), Page: query.AllRows(), WithoutProperties: true,
	})
	found := map[person.PartnershipID]person.Summary{}
	for _, p := range people.Items {
		for _, id := range of[p.ID] {
			found[id] = p
		}
	}
	return found, err
}

// Learners returns a page of the progress of the learners of a course.
func (t *Teaching) Learners(ctx context.Context, s Staff, id course.ID, q query.Query) (query.Result[analytics.CourseProgress], error) {
	return t.Progress(ctx, s, q.And(query.HasID(analytics.CourseSchema.Attr("course.id"), id.UUID)))
}

// Enroll enrolls a person as a learner in a course. An instructor cannot enroll owners and managers:
// the enrollment would show their data to the instructor.
func (t *Teaching) Enroll(ctx context.Context, s Staff, id course.ID, p person.ID) error {
	a, err := s.onCourse(id)
	if err != nil {
		return err
	}
	var checks []func([]person.Partnership) error
	if !s.Manages() {
		checks = append(checks, func(held []person.Partnership) error {
			if runsSchool(held) {
				return errEnrollsManagement
			}
			return nil
		})
	}
	return t.app.Enrollments.AddPeople(enrollment.Learner, checks...)(ctx, a, id, []person.ID{p})
}

// Unenroll removes a learner from a course. Progress is kept.
func (t *Teaching) Unenroll(ctx context.Context, s Staff, id course.ID, p person.ID) error {
	a, err := s.onCourse(id)
	if err != nil {
		return err
	}
	return t.app.Enrollments.RemovePeople(enrollment.Learner)(ctx, a, id, []person.ID{p})
}

// Structure returns the structure of a course.
func (t *Teaching) Structure(ctx context.Context, s Staff, id course.ID) (structure.Structure, error) {
	a, err := s.onCourse(id)
	if err != nil {
		return structure.Structure{}, err
	}
	return t.app.Structures.Get(ctx, a, id.String())
}

// Build makes the structure of a course match a plan. An instructor cannot use quizzes and
// assignments of courses that they do not instruct, because a definition changes a quiz in all
// courses.
func (t *Teaching) Build(ctx context.Context, s Staff, id course.ID, u app.StructureUpdate) (app.StructureResult, error) {
	a, err := s.onCourse(id)
	if err == nil {
		err = t.checkShared(ctx, s, a, id, u.Plan)
	}
	if err != nil {
		return app.StructureResult{}, err
	}
	return t.app.Structures.Replace(ctx, a, id.String(), u)
}

// checkShared returns Forbidden if a plan of an instructor for the course id refers to, or changes,
// a quiz or an assignment that is also used in a course that the instructor does not instruct.
func (t *Teaching) checkShared(ctx context.Context, s Staff, a usecase.Actor, id course.ID, p structure.Plan) error {
	if s.courses == nil {
		return nil
	}
	current, err := t.app.Structures.Get(ctx, a, id.String())
	if err != nil {
		return err
	}
	quizzes, assignments := p.UsedIDs(current)
	if len(quizzes)+len(assignments) == 0 {
		return nil
	}
	used, err := t.app.Activities.ListAll(ctx, s.actor.PermitStaff(), query.Query{Where: query.Or{
		query.HasAnyID(activity.Schema.Attr("quiz.id"), quizzes), query.HasAnyID(activity.Schema.Attr("assignment.id"), assignments),
	}, Page: query.AllRows()})
	for _, a := range used.Items {
		if _, err := s.onCourse(a.Course); err != nil {
			return errShared
		}
	}
	return err
}

// Activities returns the activities that satisfy q in the courses that the person may use,
// including archived ones.
func (t *Teaching) Activities(ctx context.Context, s Staff, q query.Query) (query.Result[activity.State], error) {
	a, q := s.within(q, activity.Schema.Attr("course.id"))
	return t.app.Activities.ListAll(ctx, a, q)
}
