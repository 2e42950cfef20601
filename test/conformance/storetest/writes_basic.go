package storetest

import (
	"context"
	"slices"
	"strings"

	"lyceum/domain/attempt"
	"lyceum/domain/bulk"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/idempotency"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/submission"
	"lyceum/domain/token"
	"lyceum/domain/webhook"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// fixture contains a record of each kind. All records belong to one school and refer to each other.
type fixture struct {
	property    property.State // property of people; the learner has a value
	category    category.State
	coupon      coupon.State
	course      course.State // in the category, with the partner as instructor
	learner     person.State // is enrolled in the course
	partner     person.State
	partnership person.Partnership
	enrollment  enrollment.Enrollment
	group       group.State           // group that has the course
	membership  membership.Membership // the learner's membership in the group, as member
	bulk        bulk.Job              // bulk job about people
	part        bulk.Part             // only part of bulk
	coursework  courseFixture         // contains its own course and learner
	completion  attempt.Completion    // completion of the coursework's text activity
	quizAttempt quizattempt.State     // quiz attempt in the coursework's quiz activity
	submission  submission.Submission // submission for the coursework's assignment
	voucher     coupon.State
	redemption  redemption.Redemption // redemption of the voucher by the coursework's learner
	invitation  invitation.Invitation // invitation of the coursework's learner
	link        invitation.Link       // link of the invitation
	token       token.Token           // token of the learner
	delivery    invitation.Delivery
	session     signin.Session // of the coursework's learner
	signInLink  signin.Link    // to the coursework's learner
	key         school.Key
	endpoint    webhook.Endpoint
	message     webhook.Delivery // to the endpoint
	follower    change.Follower
	claim       idempotency.Claim // claim with a recorded response
	school      school.ID
	ids         *fake.IDs // id generator of the school
}

// newFixture saves a fixture and returns it. The names of its records contain mark.
func newFixture(s tenant, mark string) fixture {
	s.t.Helper()
	e := fixture{
		property: s.newProperty(property.People, "property_"+strings.ToLower(mark), property.Text),
		category: s.newCategory("Category " + mark),
		coupon:   s.newCoupon("Coupon " + mark),
		voucher:  s.newCoupon("Voucher " + mark),
		learner:  s.newPerson("learner-" + mark + "@example.test"),
		partner:  s.newPerson("partner-" + mark + "@example.test"),
		group:    s.newGroup("Group " + mark),
		school:   s.id,
		ids:      s.ids,
	}
	e.learner.Properties = texts(e.property.Name, mark)
	e.partnership = s.newPartner(e.partner.ID, person.Instructor)
	e.course = s.newCourse("Course "+mark, inCategories(e.category.ID), instructedBy(e.partnership.ID))
	e.enrollment = s.newEnrollment(e.learner.ID, e.course.ID, enrollment.Learner)
	e.membership = s.newMembership(e.learner.ID, e.group.ID, membership.Member)
	s.save(
		e.property, e.category, e.coupon, e.learner, e.partner, e.partnership, e.course, e.enrollment,
		e.group, groupCourse{e.group.ID, e.course.ID}, e.membership,
	)
	e.token = s.newToken(e.learner.ID)
	s.addTokens(e.token)
	e.key, e.claim = s.newKey(0), idempotency.Claim{
		ID: idempotency.NewID("POST", "/", mark), Fingerprint: idempotency.NewFingerprint([]byte(mark)), At: s.nextTime(),
	}
	s.save(e.key, savedResponse{e.claim, idempotency.Response{Status: 201}})
	e.bulk, e.part = s.addBulk()
	e.coursework = newCourseFixture(s, mark)
	e.completion = attempt.Completion{Attempt: e.coursework.attempt.ID, Activity: e.coursework.text.ID, At: s.nextTime()}
	e.quizAttempt = s.newQuizAttempt(e.coursework.attempt, e.coursework.quizActivity, e.coursework.quiz, 1, true, false)
	e.submission = s.newSubmission(e.coursework.attempt, e.coursework.assignmentActivity)
	e.session, e.signInLink = s.newSession(e.coursework.learner.ID), s.newSignInLink(e.coursework.learner.Email)
	s.addSignIns(e.session, e.signInLink)
	viewed := e.newEvent()
	viewed.CreatedAt = s.nextTime()
	e.redemption = s.newRedemption(e.voucher.ID, e.coursework.learner.ID)
	s.save(e.completion, e.quizAttempt, e.submission, viewed, e.voucher, e.redemption)
	e.endpoint = s.newEndpoint("https://" + mark + ".test")
	e.message, e.follower = s.newMessage(e.endpoint.ID, 1), change.Follower{School: s.id, Name: "follower of " + mark, Position: 1}
	s.save(e.endpoint, e.message, e.follower)
	e.invitation = s.newInvitation(e.coursework.learner.ID)
	e.link = s.newLink(e.invitation)
	s.save(e.invitation, e.link)
	e.delivery = s.newDelivery("learner-"+mark+"@example.test", 0)
	s.must(s.saveDelivery(invitation.Day{Start: fake.Start, Messages: 1}, e.delivery))
	return e
}

// newCourse returns a copy of the fixture's course, modified by change. The copy has a new id,
// another permalink, and no categories or instructors.
func (e fixture) newCourse(change func(*course.State)) course.Course {
	c := e.course
	c.ID, c.Permalink, c.Categories, c.Instructors = course.ID{UUID: e.ids.New()}, "another-permalink", nil, nil
	change(&c)
	return course.Restore(c)
}

// newEnrollment returns a copy of the fixture's enrollment with a new id and the role manager,
// modified by change.
func (e fixture) newEnrollment(change func(*enrollment.Enrollment)) []enrollment.Enrollment {
	n := e.enrollment
	n.ID, n.Role = enrollment.ID{UUID: e.ids.New()}, enrollment.Manager
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
	read  func(ctx context.Context, r ports.Reader, ours, theirs fixture) (any, error)
	write func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error)
}

// call calls the method in a transaction.
func (v portMethod) call(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
	if v.read != nil {
		return v.read(ctx, readerOf(tx), ours, theirs)
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
	{port: "Categories", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Categories, func(c category.State) bool { return c.ID == theirs.category.ID })
	}},
	{port: "Categories", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return r.Categories.Get(ctx, theirs.category.ID)
	}},
	{port: "Categories", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		c, err := tx.Categories.GetForUpdate(ctx, theirs.category.ID)
		return c.State(), err
	}},
	{port: "Categories", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		// The name is the name of the other school's category.
		c := theirs.category
		c.ID = category.ID{UUID: theirs.ids.New()}
		return nil, tx.Categories.Add(ctx, category.Restore(c))
	}},
	{port: "Categories", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		c := theirs.category
		c.Name = "Changed"
		return nil, tx.Categories.Save(ctx, category.Restore(c))
	}},
	{port: "Categories", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Categories.Delete(ctx, theirs.category.ID)
	}},
	{port: "Courses", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Courses, func(c course.Summary) bool { return c.ID == theirs.course.ID })
	}},
	{port: "Courses", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Courses.Get(ctx, theirs.course.ID))
	}},
	{port: "Courses", method: "IDByPermalink", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Courses.IDByPermalink(ctx, theirs.course.Permalink))
	}},
	{port: "Courses", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Courses.GetManyForShare(ctx, []course.ID{ours.course.ID, theirs.course.ID})
		delete(found, ours.course.ID)
		return len(found), err
	}},
	{port: "Courses", method: "Add", of: "their permalink", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.Add(ctx, theirs.newCourse(func(c *course.State) { c.Permalink = theirs.course.Permalink }))
	}},
	{port: "Courses", method: "Add", of: "their category", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.Add(ctx, theirs.newCourse(inCategories(theirs.category.ID)))
	}},
	{port: "Courses", method: "Add", of: "their partnership", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.Add(ctx, theirs.newCourse(instructedBy(theirs.partnership.ID)))
	}},
	{port: "Courses", method: "DetachCategory", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.DetachCategory(ctx, theirs.category.ID)
	}},
	{port: "People", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.People, func(p person.Summary) bool { return p.ID == theirs.learner.ID })
	}},
	{port: "People", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.People.Get(ctx, theirs.learner.ID))
	}},
	{port: "People", method: "ListAudience", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		found, err := r.People.ListAudience(ctx, ports.Audience{Courses: []course.ID{theirs.course.ID}}, query.Query{})
		return len(found.Items), err
	}},
	{port: "People", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		p, err := tx.People.GetForUpdate(ctx, theirs.learner.ID)
		return p.State(), err
	}},
	{port: "People", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.People.GetManyForShare(ctx, []person.ID{ours.learner.ID, theirs.learner.ID})
		delete(found, ours.learner.ID)
		return len(found), err
	}},
	{port: "People", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		// The address is the address of the other school's person.
		p := theirs.learner
		p.ID = person.ID{UUID: theirs.ids.New()}
		return nil, tx.People.Add(ctx, person.Restore(p))
	}},
	{port: "People", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		p := theirs.learner
		p.FirstName = "Changed"
		return nil, tx.People.Save(ctx, person.Restore(p))
	}},
	{port: "People", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.People.Delete(ctx, theirs.learner.ID)
	}},
	{port: "Enrollments", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Enrollments, func(e enrollment.Summary) bool { return e.ID == theirs.enrollment.ID })
	}},
	{port: "Enrollments", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Enrollments.Get(ctx, theirs.enrollment.ID))
	}},
	{port: "Enrollments", method: "GetManyForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		pairs := []enrollment.PersonCourse{ours.enrollment.PersonCourse(), theirs.enrollment.PersonCourse()}
		found, err := tx.Enrollments.GetManyForUpdate(ctx, pairs, enrollment.Learner)
		delete(found, ours.enrollment.PersonCourse())
		return len(found), err
	}},
	{port: "Enrollments", method: "LockManyForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return 0, tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{ours.enrollment.PersonCourse(), theirs.enrollment.PersonCourse()}, enrollment.Learner)
	}},
	{port: "Enrollments", method: "ByPerson", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		found, err := r.Enrollments.ByPerson(ctx, theirs.learner.ID)
		return len(found), err
	}},
	{port: "Enrollments", method: "AddIfAbsent", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return result(tx.Enrollments.AddIfAbsent(ctx, ours.newEnrollment(func(e *enrollment.Enrollment) { e.Course = theirs.course.ID })))
	}},
	{port: "Enrollments", method: "AddIfAbsent", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return result(tx.Enrollments.AddIfAbsent(ctx, ours.newEnrollment(func(e *enrollment.Enrollment) { e.Person = theirs.learner.ID })))
	}},
	{port: "Enrollments", method: "RemoveFromCourses", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.Enrollments.RemoveFromCourses(ctx, theirs.learner.ID, enrollment.Learner, []course.ID{theirs.course.ID}))
	}},
	{port: "Enrollments", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Enrollments.DeleteByPerson(ctx, theirs.learner.ID)
	}},
	{port: "School", method: "GetForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture) (any, error) {
		return nil, second(tx.School.GetForUpdate(ctx))
	}},
	{port: "School", method: "GetForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture) (any, error) {
		return nil, second(tx.School.GetForShare(ctx))
	}},
	{port: "School", method: "Save", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		s, err := school.New(theirs.school, "Changed", school.Open, fake.Start)
		if err != nil {
			return nil, err
		}
		return nil, tx.School.Save(ctx, s)
	}},
	{port: "School", method: "Get", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture) (any, error) {
		// The method takes no record.
		return nil, second(r.School.Get(ctx))
	}},
	{port: "School", method: "Summary", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture) (any, error) {
		return nil, second(r.School.Summary(ctx))
	}},
	{port: "School", method: "CountPeople", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture) (any, error) {
		return nil, second(r.School.CountPeople(ctx))
	}},
	{port: "School", method: "StoredBytes", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture) (any, error) {
		return nil, second(r.School.StoredBytes(ctx))
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

// readerOf returns a Reader with the ports that ports.Tx has too. Its other ports, such as the
// lists of analytics, are nil.
func readerOf(tx ports.Tx) ports.Reader {
	return ports.Reader{
		School: tx.School, Keys: tx.Keys, Properties: tx.Properties, Categories: tx.Categories, Coupons: tx.Coupons, Redemptions: tx.Redemptions, Courses: tx.Courses, People: tx.People, Enrollments: tx.Enrollments, Partnerships: tx.Partnerships,
		Groups: tx.Groups, Memberships: tx.Memberships, Activities: tx.Activities, Structures: tx.Structures, Quizzes: tx.Quizzes,
		Assignments: tx.Assignments, Submissions: tx.Submissions, Events: tx.Events, Bulk: tx.Bulk, Invitations: tx.Invitations, SignIns: tx.SignIns, Tokens: tx.Tokens, Webhooks: tx.Webhooks,
	}
}
