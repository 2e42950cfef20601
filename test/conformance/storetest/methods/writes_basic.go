package methods

import (
	"context"
	"slices"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// newCourse returns a copy of the fixture's course, modified by change. The copy has a new id,
// another permalink, and no categories or instructors.
func newCourse(e fixture.Fixture, change func(*course.State)) course.Course {
	c := e.Course
	c.ID, c.Permalink, c.Categories, c.Instructors = course.ID{UUID: e.IDs.New()}, "another-permalink", nil, nil
	change(&c)
	return course.Restore(c)
}

// newEnrollment returns a copy of the fixture's enrollment with a new id and the role manager,
// modified by change.
func newEnrollment(e fixture.Fixture, change func(*enrollment.Enrollment)) []enrollment.Enrollment {
	n := e.Enrollment
	n.ID, n.Role = enrollment.ID{UUID: e.IDs.New()}, enrollment.Manager
	change(&n)
	return []enrollment.Enrollment{n}
}

// outcome is the result of calling a method with a record of another school.
type outcome int

const (
	missing outcome = iota // NotFound
	refused                // an error
	empty                  // no error; the call neither returns nor changes records of the other school
)

// portMethod is a method of a port and a function that calls it.
type portMethod struct {
	port   string // the field of ports.Reader or ports.Tx
	method string
	of     string // the argument from the other school; set if several entries test the method
	// foreign is the outcome of calling the method in one school with records of the other school.
	// If it is empty, the call must return nil or 0.
	foreign outcome
	// outside is true if ports.Reader has the method but ports.Tx does not.
	outside bool
	// Either read or write is set: read if ports.Reader has the method, write if only ports.Tx has
	// it.
	read  func(ctx context.Context, r ports.Reader, ours, theirs fixture.Fixture) (any, error)
	write func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error)
}

// call calls the method in a transaction.
func (v portMethod) call(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
	if v.read != nil {
		return v.read(ctx, fixture.ReaderOf(tx), ours, theirs)
	}
	return v.write(ctx, tx, ours, theirs)
}

func (v portMethod) name() string {
	name := v.port + "." + v.method
	if v.of != "" {
		name += " with " + v.of
	}
	return name
}

// portMethods contains every method of every port in ports.Tx and ports.Reader. complete.go checks
// this.
var portMethods = slices.Concat(keyMethods, propertyMethods, lookupMethods, courseMethods, authoringMethods, partnershipMethods, couponMethods, redemptionMethods, groupMethods, bulkMethods, invitationMethods, tokenMethods, deliveryMethods, signInMethods, catalogMethods, structureMethods, learningMethods, auditMethods, statisticsMethods, followerMethods, webhookMethods)

// courseMethods contains methods of the ports of categories, courses, people, enrollments and the
// school.
var courseMethods = []portMethod{
	{port: "Categories", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Categories, func(c category.State) bool { return c.ID == theirs.Category.ID })
	}},
	{port: "Categories", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return r.Categories.Get(ctx, theirs.Category.ID)
	}},
	{port: "Categories", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		c, err := tx.Categories.GetForUpdate(ctx, theirs.Category.ID)
		return c.State(), err
	}},
	{port: "Categories", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The name is the name of the other school's category.
		c := theirs.Category
		c.ID = category.ID{UUID: theirs.IDs.New()}
		return nil, tx.Categories.Add(ctx, category.Restore(c))
	}},
	{port: "Categories", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		c := theirs.Category
		c.Name = "Changed"
		return nil, tx.Categories.Save(ctx, category.Restore(c))
	}},
	{port: "Categories", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Categories.Delete(ctx, theirs.Category.ID)
	}},
	{port: "Courses", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Courses, func(c course.Summary) bool { return c.ID == theirs.Course.ID })
	}},
	{port: "Courses", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Courses.Get(ctx, theirs.Course.ID))
	}},
	{port: "Courses", method: "IDByPermalink", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Courses.IDByPermalink(ctx, theirs.Course.Permalink))
	}},
	{port: "Courses", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Courses.GetManyForShare(ctx, []course.ID{ours.Course.ID, theirs.Course.ID})
		delete(found, ours.Course.ID)
		return len(found), err
	}},
	{port: "Courses", method: "Add", of: "their permalink", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.Add(ctx, newCourse(theirs, func(c *course.State) { c.Permalink = theirs.Course.Permalink }))
	}},
	{port: "Courses", method: "Add", of: "their category", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.Add(ctx, newCourse(theirs, fixture.InCategories(theirs.Category.ID)))
	}},
	{port: "Courses", method: "Add", of: "their partnership", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.Add(ctx, newCourse(theirs, fixture.InstructedBy(theirs.Partnership.ID)))
	}},
	{port: "Courses", method: "DetachCategory", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.DetachCategory(ctx, theirs.Category.ID)
	}},
	{port: "People", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.People, func(p person.Summary) bool { return p.ID == theirs.Learner.ID })
	}},
	{port: "People", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.People.Get(ctx, theirs.Learner.ID))
	}},
	{port: "People", method: "ListAudience", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		found, err := r.People.ListAudience(ctx, ports.Audience{Courses: []course.ID{theirs.Course.ID}}, query.Query{})
		return len(found.Items), err
	}},
	{port: "People", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		p, err := tx.People.GetForUpdate(ctx, theirs.Learner.ID)
		return p.State(), err
	}},
	{port: "People", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.People.GetManyForShare(ctx, []person.ID{ours.Learner.ID, theirs.Learner.ID})
		delete(found, ours.Learner.ID)
		return len(found), err
	}},
	{port: "People", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The address is the address of the other school's person.
		p := theirs.Learner
		p.ID = person.ID{UUID: theirs.IDs.New()}
		return nil, tx.People.Add(ctx, person.Restore(p))
	}},
	{port: "People", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		p := theirs.Learner
		p.FirstName = "Changed"
		return nil, tx.People.Save(ctx, person.Restore(p))
	}},
	{port: "People", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.People.Delete(ctx, theirs.Learner.ID)
	}},
	{port: "Enrollments", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Enrollments, func(e enrollment.Summary) bool { return e.ID == theirs.Enrollment.ID })
	}},
	{port: "Enrollments", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Enrollments.Get(ctx, theirs.Enrollment.ID))
	}},
	{port: "Enrollments", method: "GetManyForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		pairs := []enrollment.PersonCourse{ours.Enrollment.PersonCourse(), theirs.Enrollment.PersonCourse()}
		found, err := tx.Enrollments.GetManyForUpdate(ctx, pairs, enrollment.Learner)
		delete(found, ours.Enrollment.PersonCourse())
		return len(found), err
	}},
	{port: "Enrollments", method: "LockManyForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return 0, tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{ours.Enrollment.PersonCourse(), theirs.Enrollment.PersonCourse()}, enrollment.Learner)
	}},
	{port: "Enrollments", method: "ByPerson", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		found, err := r.Enrollments.ByPerson(ctx, theirs.Learner.ID)
		return len(found), err
	}},
	{port: "Enrollments", method: "AddIfAbsent", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return result(tx.Enrollments.AddIfAbsent(ctx, newEnrollment(ours, func(e *enrollment.Enrollment) { e.Course = theirs.Course.ID })))
	}},
	{port: "Enrollments", method: "AddIfAbsent", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return result(tx.Enrollments.AddIfAbsent(ctx, newEnrollment(ours, func(e *enrollment.Enrollment) { e.Person = theirs.Learner.ID })))
	}},
	{port: "Enrollments", method: "RemoveFromCourses", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Enrollments.RemoveFromCourses(ctx, theirs.Learner.ID, enrollment.Learner, []course.ID{theirs.Course.ID}))
	}},
	{port: "Enrollments", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Enrollments.DeleteByPerson(ctx, theirs.Learner.ID)
	}},
	{port: "School", method: "GetForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.School.GetForUpdate(ctx))
	}},
	{port: "School", method: "GetForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.School.GetForShare(ctx))
	}},
	{port: "School", method: "Save", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		s, err := school.New(theirs.School, "Changed", school.Open, fake.Start)
		if err != nil {
			return nil, err
		}
		return nil, tx.School.Save(ctx, s)
	}},
	{port: "School", method: "Get", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture.Fixture) (any, error) {
		// The method takes no record.
		return nil, fixture.Second(r.School.Get(ctx))
	}},
	{port: "School", method: "Summary", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture.Fixture) (any, error) {
		return nil, fixture.Second(r.School.Summary(ctx))
	}},
	{port: "School", method: "CountPeople", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture.Fixture) (any, error) {
		return nil, fixture.Second(r.School.CountPeople(ctx))
	}},
	{port: "School", method: "StoredBytes", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture.Fixture) (any, error) {
		return nil, fixture.Second(r.School.StoredBytes(ctx))
	}},
}

// listed returns the number of rows of l that wanted accepts.
func listed[T any](ctx context.Context, l ports.Lister[T], wanted func(T) bool) (any, error) {
	found, err := l.List(ctx, query.Query{Page: query.AllRows()})
	n := 0
	for _, row := range found.Items {
		if wanted(row) {
			n++
		}
	}
	return n, err
}

// result returns v as any.
func result[T any](v T, err error) (any, error) { return v, err }
