package storetest

import (
	"context"
	"slices"

	"lyceum/domain/attempt"
	"lyceum/domain/bulk"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/idempotency"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// exhibit is a record of each kind, all of one school, bound to each other.
type exhibit struct {
	category    category.State
	coupon      coupon.State
	course      course.State // under the category, taught by the partner
	learner     person.State // enrolled in the course
	partner     person.State
	partnership person.Partnership
	enrollment  enrollment.Enrollment
	group       group.State           // holds the course
	membership  membership.Membership // of the learner in the group, as member
	bulk        bulk.Job              // about people
	part        bulk.Part             // of it, the only one
	lesson      lesson                // of a course and a learner of its own
	completion  attempt.Completion    // of the lesson's text
	run         quizattempt.State     // of the lesson's test
	submission  submission.Submission // for the lesson's essay
	voucher     coupon.State
	redemption  redemption.Redemption // of the voucher, by the lesson's learner
	invitation  invitation.Invitation // of the lesson's learner
	link        invitation.Link       // to it
	delivery    invitation.Delivery
	key         school.Key
	claim       idempotency.Claim // with an answer
	school      school.ID
	ids         *fake.IDs // of the school
}

// newExhibit makes records whose names end with mark.
func newExhibit(s tenant, mark string) exhibit {
	s.t.Helper()
	e := exhibit{
		category: s.newCategory("Category " + mark),
		coupon:   s.newCoupon("Coupon " + mark),
		voucher:  s.newCoupon("Voucher " + mark),
		learner:  s.newPerson("learner-" + mark + "@example.test"),
		partner:  s.newPerson("partner-" + mark + "@example.test"),
		group:    s.newGroup("Group " + mark),
		school:   s.id,
		ids:      s.ids,
	}
	e.partnership = s.newPartner(e.partner.ID, person.Instructor)
	e.course = s.newCourse("Course "+mark, under(e.category.ID), taughtBy(e.partnership.ID))
	e.enrollment = s.newEnrollment(e.learner.ID, e.course.ID, enrollment.Learner)
	e.membership = s.newMembership(e.learner.ID, e.group.ID, membership.Member)
	s.keep(
		e.category, e.coupon, e.learner, e.partner, e.partnership, e.course, e.enrollment,
		e.group, holding{e.group.ID, e.course.ID}, e.membership,
	)
	e.key, e.claim = s.newKey(0), idempotency.Claim{
		ID: idempotency.NewID("POST", "/", mark), Fingerprint: idempotency.NewFingerprint([]byte(mark)), At: s.next(),
	}
	s.keep(e.key, answered{e.claim, idempotency.Response{Status: 201}})
	e.bulk, e.part = s.addBulk()
	e.lesson = newLesson(s, mark)
	e.completion = attempt.Completion{Attempt: e.lesson.attempt.ID, Activity: e.lesson.text.ID, At: s.next()}
	e.run = s.newRun(e.lesson.attempt, e.lesson.test, e.lesson.quiz, 1, true, false)
	e.submission = s.newSubmission(e.lesson.attempt, e.lesson.essay)
	viewed := e.viewed()
	viewed.CreatedAt = s.next()
	e.redemption = s.newRedemption(e.voucher.ID, e.lesson.learner.ID)
	s.keep(e.completion, e.run, e.submission, viewed, e.voucher, e.redemption)
	e.invitation = s.newInvitation(e.lesson.learner.ID)
	e.link = s.newLink(e.invitation)
	s.keep(e.invitation, e.link)
	e.delivery = s.newDelivery("learner-"+mark+"@example.test", 0)
	s.must(s.saveDelivery(invitation.Day{Start: fake.Start, Messages: 1}, e.delivery))
	return e
}

// copyOf returns a new course like that of the exhibit, changed by change.
func (e exhibit) copyOf(change func(*course.State)) course.Course {
	c := e.course
	c.ID, c.Permalink, c.Categories, c.Instructors = course.ID{UUID: e.ids.New()}, "another-permalink", nil, nil
	change(&c)
	return course.Restore(c)
}

// elsewhere returns a new enrollment like that of the exhibit, changed by change.
func (e exhibit) elsewhere(change func(*enrollment.Enrollment)) []enrollment.Enrollment {
	n := e.enrollment
	n.ID, n.Role = enrollment.ID{UUID: e.ids.New()}, enrollment.Manager
	change(&n)
	return []enrollment.Enrollment{n}
}

// outcome is what becomes of a verb that is tried on another school's records.
type outcome int

const (
	missing outcome = iota // it is NotFound
	refused                // it is refused with some error
	empty                  // it succeeds, finds nothing and does nothing
)

// verb is one method of a port, tried on an exhibit.
type verb struct {
	port   string // the field of ports.Reader or ports.Tx
	method string
	of     string // which record is another's, where several may be
	// foreign is what happens in a school to which theirs does not belong; ours
	// does. What it returns is then the zero value.
	foreign outcome
	// outside says that only a reader can do it, a transaction cannot.
	outside bool
	// One of the two is set: read for what a reader can do too.
	read  func(ctx context.Context, r ports.Reader, ours, theirs exhibit) (any, error)
	write func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error)
}

// call does v in a transaction, which it must not be outside of.
func (v verb) call(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
	if v.read != nil {
		return v.read(ctx, readerOf(tx), ours, theirs)
	}
	return v.write(ctx, tx, ours, theirs)
}

func (v verb) name() string {
	name := v.port + "." + v.method
	if v.of != "" {
		name += " with " + v.of
	}
	return name
}

// verbs is every method of every port of a transaction; complete.go sees to it.
var verbs = slices.Concat(keyVerbs, lookupVerbs, courseVerbs, authoringVerbs, partnershipVerbs, couponVerbs, redemptionVerbs, groupVerbs, bulkVerbs, invitationVerbs, deliveryVerbs, teachingVerbs, structureVerbs, learningVerbs)

// courseVerbs is the methods that courses are made, found and learned with.
var courseVerbs = []verb{
	{port: "Categories", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return listed(ctx, r.Categories, func(c category.State) bool { return c.ID == theirs.category.ID })
	}},
	{port: "Categories", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return r.Categories.Get(ctx, theirs.category.ID)
	}},
	{port: "Categories", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		c, err := tx.Categories.GetForUpdate(ctx, theirs.category.ID)
		return c.State(), err
	}},
	{port: "Categories", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		// The name is theirs, the category is not.
		c := theirs.category
		c.ID = category.ID{UUID: theirs.ids.New()}
		return nil, tx.Categories.Add(ctx, category.Restore(c))
	}},
	{port: "Categories", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		c := theirs.category
		c.Name = "Changed"
		return nil, tx.Categories.Save(ctx, category.Restore(c))
	}},
	{port: "Categories", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Categories.Delete(ctx, theirs.category.ID)
	}},
	{port: "Courses", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return listed(ctx, r.Courses, func(c course.Summary) bool { return c.ID == theirs.course.ID })
	}},
	{port: "Courses", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return result(r.Courses.Get(ctx, theirs.course.ID))
	}},
	{port: "Courses", method: "ByPermalink", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return result(r.Courses.ByPermalink(ctx, theirs.course.Permalink))
	}},
	{port: "Courses", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		found, err := tx.Courses.GetManyForShare(ctx, []course.ID{ours.course.ID, theirs.course.ID})
		delete(found, ours.course.ID)
		return len(found), err
	}},
	{port: "Courses", method: "Add", of: "their permalink", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Courses.Add(ctx, theirs.copyOf(func(c *course.State) { c.Permalink = theirs.course.Permalink }))
	}},
	{port: "Courses", method: "Add", of: "their category", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Courses.Add(ctx, theirs.copyOf(under(theirs.category.ID)))
	}},
	{port: "Courses", method: "Add", of: "their partnership", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Courses.Add(ctx, theirs.copyOf(taughtBy(theirs.partnership.ID)))
	}},
	{port: "Courses", method: "DetachCategory", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Courses.DetachCategory(ctx, theirs.category.ID)
	}},
	{port: "People", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return listed(ctx, r.People, func(p person.Summary) bool { return p.ID == theirs.learner.ID })
	}},
	{port: "People", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return result(r.People.Get(ctx, theirs.learner.ID))
	}},
	{port: "People", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		p, err := tx.People.GetForUpdate(ctx, theirs.learner.ID)
		return p.State(), err
	}},
	{port: "People", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		found, err := tx.People.GetManyForShare(ctx, []person.ID{ours.learner.ID, theirs.learner.ID})
		delete(found, ours.learner.ID)
		return len(found), err
	}},
	{port: "People", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		// The address is theirs, the person is not.
		p := theirs.learner
		p.ID = person.ID{UUID: theirs.ids.New()}
		return nil, tx.People.Add(ctx, person.Restore(p))
	}},
	{port: "People", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		p := theirs.learner
		p.FirstName = "Changed"
		return nil, tx.People.Save(ctx, person.Restore(p))
	}},
	{port: "People", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.People.Delete(ctx, theirs.learner.ID)
	}},
	{port: "Enrollments", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return listed(ctx, r.Enrollments, func(e enrollment.Summary) bool { return e.ID == theirs.enrollment.ID })
	}},
	{port: "Enrollments", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return result(r.Enrollments.Get(ctx, theirs.enrollment.ID))
	}},
	{port: "Enrollments", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return result(tx.Enrollments.GetForUpdate(ctx, theirs.learner.ID, theirs.course.ID, enrollment.Learner))
	}},
	{port: "Enrollments", method: "GetManyForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		pairs := []enrollment.PersonCourse{ours.enrollment.PersonCourse(), theirs.enrollment.PersonCourse()}
		found, err := tx.Enrollments.GetManyForUpdate(ctx, pairs, enrollment.Learner)
		delete(found, ours.enrollment.PersonCourse())
		return len(found), err
	}},
	{port: "Enrollments", method: "LockManyForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		return 0, tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{ours.enrollment.PersonCourse(), theirs.enrollment.PersonCourse()}, enrollment.Learner)
	}},
	{port: "Enrollments", method: "ByPerson", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		found, err := r.Enrollments.ByPerson(ctx, theirs.learner.ID)
		return len(found), err
	}},
	{port: "Enrollments", method: "AddIfAbsent", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		return result(tx.Enrollments.AddIfAbsent(ctx, ours.elsewhere(func(e *enrollment.Enrollment) { e.Course = theirs.course.ID })))
	}},
	{port: "Enrollments", method: "AddIfAbsent", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		return result(tx.Enrollments.AddIfAbsent(ctx, ours.elsewhere(func(e *enrollment.Enrollment) { e.Person = theirs.learner.ID })))
	}},
	{port: "Enrollments", method: "RemoveFromCourses", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return result(tx.Enrollments.RemoveFromCourses(ctx, theirs.learner.ID, enrollment.Learner, []course.ID{theirs.course.ID}))
	}},
	{port: "Enrollments", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Enrollments.DeleteByPerson(ctx, theirs.learner.ID)
	}},
	{port: "School", method: "GetForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ exhibit) (any, error) {
		return nil, second(tx.School.GetForUpdate(ctx))
	}},
	{port: "School", method: "Save", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		s, err := school.New(theirs.school, "Changed", school.Open, fake.Start)
		if err != nil {
			return nil, err
		}
		return nil, tx.School.Save(ctx, s)
	}},
	{port: "School", method: "Get", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ exhibit) (any, error) {
		// It takes no record, so there is nothing of theirs to try it on.
		return nil, second(r.School.Get(ctx))
	}},
	{port: "School", method: "CountPeople", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ exhibit) (any, error) {
		return nil, second(r.School.CountPeople(ctx))
	}},
	{port: "School", method: "StoredBytes", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ exhibit) (any, error) {
		return nil, second(r.School.StoredBytes(ctx))
	}},
}

// listed returns how many of all rows of l are among those asked for.
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

// result forgets the type of v.
func result[T any](v T, err error) (any, error) { return v, err }

// readerOf returns what a transaction can read as ports.Reader; the lists of
// package analytics are not among it.
func readerOf(tx ports.Tx) ports.Reader {
	return ports.Reader{
		School: tx.School, Keys: tx.Keys, Categories: tx.Categories, Coupons: tx.Coupons, Redemptions: tx.Redemptions, Courses: tx.Courses, People: tx.People, Enrollments: tx.Enrollments, Partnerships: tx.Partnerships,
		Groups: tx.Groups, Memberships: tx.Memberships, Activities: tx.Activities, Structures: tx.Structures, Quizzes: tx.Quizzes,
		Assignments: tx.Assignments, Submissions: tx.Submissions, Events: tx.Events, Bulk: tx.Bulk, Invitations: tx.Invitations,
	}
}
