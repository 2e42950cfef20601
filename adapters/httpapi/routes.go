package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/domain/bulk"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// The paths that belong to no version.
const (
	healthzPath     = "/healthz"
	readyzPath      = "/readyz"
	descriptionPath = "/openapi.json"
	referencePath   = "/docs"
)

var (
	// healthPaths are answered over any way that a request comes.
	healthPaths = paths{healthzPath, readyzPath}
	// keyless is the paths that answer without a key.
	keyless = paths{
		healthzPath, readyzPath,
		descriptionPath, referencePath, referencePath + "/",
	}
	// pages are the paths of which people's browsers ask for HTML.
	pages = paths{referencePath, referencePath + "/"}
)

// register lists every route, each part in the order of the specification. One
// name, :id, stands for every wildcard at the end of a record's path, since gin
// allows no two in one place.
func (s *server) register(r *routing) {
	r.open("GET", healthzPath, s.Step(s.healthz))
	r.open("GET", readyzPath, s.Step(s.readyz))
	r.open("GET", descriptionPath, s.Step(s.describeAPI()))
	if !s.cfg.NoReference {
		page := newReferences(s)
		r.open("GET", referencePath, s.Step(page.page))
		r.open("GET", referencePath+"/:id", s.Step(page.file))
	}
	if s.links.servesFiles() {
		r.open("GET", downloadPath, s.Step(s.download))
	}
	s.in(v2).routesOfTokens(r.open)
	for _, v := range []version{v1, v2} {
		s.in(v).twins(r.usual)
	}
	s.in(v1).routesOfV1(r.usual)
	s.in(v2).routesOfV2(r.usual)
	s.in(v2).routesOfAdmins(r.admin)
}

// twins is the routes that both versions have.
func (s *server) twins(on register) {
	v := string(s.version)

	on("GET", v+"/analytics/courses", s.handle(s.listCourseAnalytics())).countsRows()
	on("GET", v+"/analytics/quiz_scores", s.handle(s.listQuizScores()))
	on("GET", v+"/analytics/quiz_raw_answers", s.handle(s.listRawAnswers()))

	on("GET", v+"/assignments", s.handle(s.listAssignments()))

	large := limitBody(s.cfg.BulkBodyLimit)

	on("POST", v+"/bulk/groups", large, s.handle(s.acceptBulk(bulk.Groups))).is(classExpensive)
	on("POST", v+"/bulk/people", large, s.handle(s.acceptBulk(bulk.People))).is(classExpensive)
	on("GET", v+"/bulk/jobs/:id", s.handle(show(s, s.app.Bulk.Get, s.bulkJob)))

	on("GET", v+"/categories", s.handle(s.listCategories()))
	on("GET", v+"/categories/:id", s.handle(show(s, s.app.Categories.Get, s.category)))
	on("POST", v+"/categories", s.handle(s.createCategory))
	on("PATCH", v+"/categories/:id", s.handle(s.updateCategory))
	on("DELETE", v+"/categories/:id", s.handle(remove(s, s.app.Categories.Delete, category.Type)))

	on("GET", v+"/coupons", s.handle(s.listCoupons()))
	on("GET", v+"/coupons/:id", s.handle(show(s, s.app.Coupons.Get, s.coupon)))
	on("PATCH", v+"/coupons/:id", s.handle(s.updateCoupon))
	on("POST", v+"/coupons/:id", s.handle(s.updateCoupon)) // links.self says so
	on("DELETE", v+"/coupons/:id", s.handle(remove(s, s.app.Coupons.Delete, coupon.Type)))
	on("POST", v+"/coupons/:id/activation", s.handle(act(s.app.Coupons.Activate)))
	on("DELETE", v+"/coupons/:id/activation", s.handle(act(s.app.Coupons.Deactivate)))

	on("GET", v+"/courses", s.handle(s.listCourses()))
	on("GET", v+"/courses/:id", s.handle(s.getCourse))

	on("GET", v+"/groups", s.handle(s.listGroups()))
	on("GET", v+"/groups/:id", s.handle(show(s, s.app.Groups.Get, s.group)))
	on("POST", v+"/groups", s.handle(s.createGroup))
	on("PATCH", v+"/groups/:id", s.handle(s.updateGroup))
	on("POST", v+"/groups/:id/relationships/courses", s.handle(relate(s, s.app.Groups.AddCourses, idOf, course.Type)))
	on("POST", v+"/groups/:id/relationships/people", s.handle(relate(s, s.app.Memberships.AddPeople, idOf, person.Type)))
	on("DELETE", v+"/groups/:id", s.handle(remove(s, s.app.Groups.Delete, group.Type)))

	on("GET", v+"/groups/:id/memberships", s.handle(s.listMemberships()))
	on("GET", v+"/memberships/:id", s.handle(show(s, s.app.Memberships.Get, s.membership)))
	on("DELETE", v+"/memberships/:id", s.handle(remove(s, s.app.Memberships.Delete, membership.Type)))

	on("DELETE", v+"/people/:id", s.handle(remove(s, s.app.People.Delete, person.Type)))
	on("POST", v+"/people/:id/relationships/courses", s.handle(s.changePlaces(s.app.Enrollments.Enroll)))
	on("DELETE", v+"/people/:id/relationships/courses", s.handle(s.changePlaces(s.app.Enrollments.Unenroll)))
	on("POST", v+"/people/:id/relationships/groups", s.handle(s.changeSeats(s.app.Memberships.Join)))
	on("DELETE", v+"/people/:id/relationships/groups", s.handle(s.changeSeats(s.app.Memberships.Leave)))

	on("GET", v+"/quizzes", s.handle(s.listQuizzes()))
	on("GET", v+"/quizzes/:id", s.handle(show(s, s.app.Quizzes.Get, s.quiz)))
}

// routesOfV1 is the routes that only v1 has.
func (s *server) routesOfV1(on register) {
	onPeople := s.deprecated("/v2/people")

	on("GET", "/v1/learners", onPeople, s.handle(s.listLearners()))
	on("GET", "/v1/learners/:id", onPeople, s.handle(show(s, s.app.Learners.Get, s.learner)))
	on("POST", "/v1/learners", onPeople, s.handle(s.createLearner))
	on("DELETE", "/v1/learners/:id", onPeople, s.handle(remove(s, s.app.Learners.Delete, learnerType, person.Type)))

	on("GET", "/v1/people", onPeople, s.handle(s.listPeople()))
	on("GET", "/v1/people/:id", s.handle(show(s, s.app.People.Get, s.person)))
}

// routesOfV2 is the routes that only v2 has.
func (s *server) routesOfV2(on register) {
	on("GET", "/v2/assignments/:id/submissions", s.handle(s.listSubmissionsOf()))
	on("GET", "/v2/submissions", s.handle(s.listSubmissions()))
	on("GET", "/v2/submissions/:id", s.handle(show(s, s.app.Submissions.Get, s.submission)))

	s.courseRoutes(on)
	on("POST", "/v2/coupons", s.handle(s.createCoupon))
	on("GET", "/v2/coupons/:id/redemptions", s.handle(s.listRedemptions()))
	on("POST", "/v2/coupons/:id/redemptions", s.handle(s.redeemCoupon))
	on("GET", "/v2/coupon_redemptions/:id", s.handle(show(s, s.app.Redemptions.Get, s.redemption)))

	on("GET", "/v2/courses/:id/activities", s.handle(s.listCourseActivities()))
	on("GET", "/v2/courses/:id/structure", s.handle(s.getStructure)).is(classLarge)
	on("PUT", "/v2/courses/:id/structure", limitBody(s.cfg.BulkBodyLimit), s.handle(s.putStructure)).is(classLong)
	on("GET", "/v2/courses/:id/enrollments", s.handle(s.listEnrollments()))
	on("GET", "/v2/enrollments/:id", s.handle(show(s, s.app.Enrollments.Get, s.enrollment)))

	on("GET", "/v2/activities", s.handle(s.listActivities()))
	on("GET", "/v2/activities/:id", s.handle(show(s, s.app.Activities.Get, s.activity)))

	on("DELETE", "/v2/groups/:id/relationships/courses", s.handle(relate(s, s.app.Groups.RemoveCourses, idOf, course.Type)))
	on("DELETE", "/v2/groups/:id/relationships/people", s.handle(relate(s, s.app.Memberships.RemovePeople, idOf, person.Type)))

	on("POST", "/v2/groups/:id/relationships/managers", s.handle(relate(s, s.app.Memberships.AddManagers, idOf, person.Type)))
	on("DELETE", "/v2/groups/:id/relationships/managers", s.handle(relate(s, s.app.Memberships.RemoveManagers, idOf, person.Type)))

	on("GET", "/v2/partnerships", s.handle(s.listPartnerships()))
	on("GET", "/v2/partnerships/:id", s.handle(show(s, s.app.Partnerships.Get, s.partnership)))

	on("GET", "/v2/people", s.handle(s.listFullPeople()))
	on("GET", "/v2/people/:id", s.handle(show(s, s.app.People.Get, s.fullPerson)))
	on("POST", "/v2/people", s.handle(s.createPerson))
	on("GET", "/v2/people/:id/invitation", s.handle(show(s, s.app.Invitations.Get, s.invitation)))
	on("POST", "/v2/people/:id/invitation", s.handle(s.resendInvitation))
	on("PATCH", "/v2/people/:id", s.handle(s.updatePerson))

	on("GET", "/v2/events", s.handle(s.listEvents()))
	on("POST", "/v2/events", s.handle(s.recordEvents))

	on("POST", "/v2/activities/:id/completions", s.handle(s.complete))
	on("POST", "/v2/quizzes/:id/answers", s.handle(s.answerQuiz))
	on("POST", "/v2/courses/:id/attempts", s.handle(s.beginAttempt))
	on("POST", handInPath, s.handleAlone(s.handIn)).is(classUpload)
	on("GET", "/v2/quiz_attempts", s.handle(s.listQuizRuns()))
	on("GET", "/v2/activity_completions", s.handle(s.listCompletions()))

	on("GET", "/v2/school", s.handle(s.getSchool))
}

// routesOfAdmins is the routes that only a key of scope admin opens.
func (s *server) routesOfAdmins(on register) {
	on("POST", "/v2/partnerships", s.handle(s.createPartnership))
	on("DELETE", "/v2/partnerships/:id", s.handle(remove(s, s.app.Partnerships.Delete, person.PartnershipType)))

	on("PATCH", "/v2/school", s.handle(s.updateSchool))
	on("GET", exportPath, s.handle(s.export)).is(classExport)

	on("GET", "/v2/api_keys", s.handle(s.listKeys()))
	on("GET", "/v2/api_keys/:id", s.handle(show(s, s.app.Keys.Get, s.key)))
	on("POST", "/v2/api_keys", s.handle(s.createKey))
	on("DELETE", "/v2/api_keys/:id", s.handle(remove(s, s.app.Keys.Revoke, school.KeyType)))
	on("POST", "/v2/api_keys/:id/rotation", s.handle(s.rotateKey))
}

// needsKey tells whether the request's path is answered only with a key. In a
// link to a file a signature stands in its place, in one to an invitation a token.
func (s *server) needsKey(c *gin.Context) bool {
	escaped := c.Request.URL.EscapedPath()
	signed := s.links.servesFiles() && isDownload(escaped)
	return !signed && !isInvitation(escaped) && !keyless.hold(c.Request.URL.Path)
}
