package usecase

import (
	"context"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
)

// errNotForLearners refuses a use case that is closed to learners.
var errNotForLearners = fault.Forbiddenf("This operation is not available to learners")

// ErrRoleEnded refuses the request of a person of the staff whose role has ended since the request
// began.
var ErrRoleEnded = fault.Forbiddenf("Your role in this school has ended")

// errNotForStaff refuses a use case whose permissions package teaching has not checked.
var errNotForStaff = fault.Forbiddenf("Your role does not permit this")

// Permit returns a with access to all records of its school, even if a is a learner. A use case
// calls it after it has checked what the learner may do, or if it reveals nothing about other
// people. Other actors have this access anyway.
func (a Actor) Permit() Actor {
	a.permitted = a.permitted || a.IsLearner()
	return a
}

// PermitStaff returns a with access to all records of its school, if a is a person of the staff. A
// use case calls it after it has checked what the role of the person permits.
func (a Actor) PermitStaff() Actor {
	a.permitted = a.permitted || a.staff != person.ID{}
	return a
}

// check returns a Forbidden fault if a is a learner or a person of the staff whose permissions have
// not been checked.
func (a Actor) check() error {
	if a.staff != (person.ID{}) && !a.permitted {
		return errNotForStaff
	}
	if a.IsLearner() && !a.permitted {
		return errNotForLearners
	}
	return nil
}

func (a Actor) hasSession() bool { return a.session.ID != signin.SessionID{} }

// CheckSession returns BadCredentials if the session of a has ended since the request began.
func (a Actor) CheckSession(ctx context.Context, tx ports.Tx) error {
	if !a.hasSession() {
		return nil
	}
	_, err := tx.SignIns.Session(ctx, a.session.Hash)
	if fault.Is(err, fault.NotFound) {
		return fault.BadCredentials()
	}
	return err
}

// checkRole returns ErrRoleEnded if a is a person of the staff whose role has ended, and NotFound if
// a no longer instructs the course of a. Otherwise it locks the role until the end of the
// transaction, so that what the transaction creates, such as an API key or the role of another
// person, was created before the role ends. These are the last locks of a transaction, so that the
// end of a role waits for the commit only. The course comes first, because the end of a role removes
// the instructor from the courses before it deletes the role.
func (a Actor) checkRole(ctx context.Context, tx ports.Tx) error {
	if a.staff == (person.ID{}) || a.resigns {
		return nil
	}
	instructs := true
	if a.course != (course.ID{}) {
		var err error
		if instructs, err = tx.Partnerships.InstructsForShare(ctx, a.role, a.course); err != nil {
			return err
		}
	}
	held, err := tx.Partnerships.ExistsForShare(ctx, a.role)
	switch {
	case err != nil:
		return err
	case !held:
		return ErrRoleEnded
	case !instructs:
		return fault.RecordNotFound()
	}
	return nil
}

// ActFor permits an operation on behalf of people. If a is a learner, it returns a Forbidden fault
// if people contains anyone else, whether or not that person exists. It ignores zero IDs: the use
// case reports a missing person.
func (a Actor) ActFor(people ...person.ID) (Actor, error) {
	for _, p := range people {
		if a.IsLearner() && p != a.learner && p != (person.ID{}) {
			return a, fault.Forbiddenf("A learner can act only for themselves")
		}
	}
	return a.Permit(), nil
}

// OnRecordOf returns NotFound if a is a learner and not the person p. A use case calls it for a
// record of p that it has read by an ID, so that a learner cannot find out which records of other
// people exist.
func (a Actor) OnRecordOf(p person.ID) error {
	if a.IsLearner() && p != a.learner {
		return fault.RecordNotFound()
	}
	return nil
}

// Own permits listing records of people. If a is a learner, the returned query selects only the
// learner's records: of is the attribute with the ID of the person.
func (a Actor) Own(q query.Query, of query.Attr) (Actor, query.Query) {
	if a.IsLearner() {
		q = q.And(query.HasID(of, a.learner.UUID))
	}
	return a.Permit(), q
}

// OwnCourses permits listing courses or their content. If a is a learner, the returned query
// selects only what belongs to the learner's courses: of is the attribute with the ID of the
// course.
func (d Deps) OwnCourses(ctx context.Context, a Actor, q query.Query, of query.Attr) (Actor, query.Query, error) {
	if !a.IsLearner() {
		return a, q, nil
	}
	courses, err := d.learning(ctx, a)
	if len(courses) == 0 {
		courses = []query.Value{{ID: uuid.Nil}} // selects nothing
	}
	return a.Permit(), q.And(query.Cond{Attr: of, Op: query.Eq, Values: courses}), err
}

// OnCourse permits the use of a course and its content. If a is a learner, it returns NotFound
// unless the learner is enrolled in the course as a learner. For other actors it checks nothing,
// not even that the course exists.
func (d Deps) OnCourse(ctx context.Context, a Actor, id course.ID) (Actor, error) {
	if !a.IsLearner() {
		return a, nil
	}
	in := query.HasID(enrollment.Schema.Attr("course.id"), id.UUID)
	courses, err := d.learning(ctx, a, in)
	if err == nil && len(courses) == 0 {
		err = fault.RecordNotFound()
	}
	return a.Permit(), err
}

// Course is like OnCourse for the course whose ID or permalink is ref. It also returns the ID of
// the course.
func (d Deps) Course(ctx context.Context, a Actor, ref string) (Actor, course.ID, error) {
	id, err := CourseID(ctx, d.Read(a.Permit()).Courses, ref)
	if err != nil {
		return a, id, err
	}
	a, err = d.OnCourse(ctx, a, id)
	return a, id, err
}

// ActivitiesOf returns the IDs, in ascending order, of the activities that satisfy content and belong
// to a course in which the learner p is enrolled as a learner. content selects the activities with a
// quiz or an assignment. The result includes archived activities. ActivitiesOf returns NotFound if
// there is none, as for an unknown quiz or assignment.
func ActivitiesOf(
	ctx context.Context, activities ports.ActivityReader, enrollments ports.EnrollmentReader, p person.ID, content query.Cond,
) ([]activity.ID, error) {
	all, err := enrollments.ByPerson(ctx, p)
	var courses []course.ID
	for _, e := range all {
		if e.Role == enrollment.Learner {
			courses = append(courses, e.Course)
		}
	}
	if err == nil && len(courses) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	q := query.Query{Where: query.And{content, query.HasAnyID(activity.Schema.Attr("course.id"), courses)}, Page: query.AllRows()}
	q.Sort = []query.Order{{Attr: activity.Schema.Attr("uuid")}}
	found, err := activities.List(ctx, q)
	ids := make([]activity.ID, len(found.Items))
	for i, s := range found.Items {
		ids[i] = s.ID
	}
	if err == nil && len(ids) == 0 {
		err = fault.RecordNotFound()
	}
	return ids, err
}

// OnAssignment permits the use of an assignment. If a is a learner, it returns NotFound unless an
// activity of one of the learner's courses has the assignment. For other actors it checks nothing,
// not even that the assignment exists.
func (d Deps) OnAssignment(ctx context.Context, a Actor, id assignment.ID) (Actor, error) {
	if !a.IsLearner() {
		return a, nil
	}
	r := d.Read(a.Permit())
	_, err := ActivitiesOf(ctx, r.Activities, r.Enrollments, a.learner, query.HasID(activity.Schema.Attr("assignment.id"), id.UUID))
	return a.Permit(), err
}

// learning returns the IDs of the courses in which the learner a is enrolled as a learner and that
// satisfy the conditions on the enrollment.
func (d Deps) learning(ctx context.Context, a Actor, conditions ...query.Expr) ([]query.Value, error) {
	name := enrollment.Learner.String()
	role := query.Cond{
		Attr: enrollment.Schema.Attr("role"), Op: query.Eq, Values: []query.Value{{Text: name, Fold: text.Fold(name)}},
	}
	a, q := a.Own(query.Query{Where: role, Page: query.AllRows()}, enrollment.Schema.Attr("person.id"))
	for _, c := range conditions {
		q = q.And(c)
	}
	found, err := d.Read(a).Enrollments.List(ctx, q)
	ids := make([]query.Value, len(found.Items))
	for i, e := range found.Items {
		ids[i] = query.Value{ID: e.Course.UUID}
	}
	return ids, err
}

// Read returns the committed records of a's school. A learner whose permissions have not been
// checked reads a school that does not exist.
func (d Deps) Read(a Actor) ports.Reader {
	if a.check() != nil {
		return d.Store.Read(school.ID{})
	}
	return d.Store.Read(a.school)
}
