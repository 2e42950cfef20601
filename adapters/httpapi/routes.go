package httpapi

import (
	"time"

	"lyceum/adapters/httpapi/description"
	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/readiness"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
)

// Paths without a version.
const (
	homePath      = "/"
	healthzPath   = "/healthz"
	readyzPath    = "/readyz"
	openAPIPath   = "/openapi.json"
	referencePath = "/docs"
)

const (
	// bulkBodyLimit is the maximum size in bytes of the body of a bulk request or of a course
	// structure.
	bulkBodyLimit = 8 << 20
	// longTime is the time limit of a request that changes very many records.
	longTime = 10 * time.Minute
)

// anyMedia is the Produces attribute of a route for files of several media types.
const anyMedia = "*/*"

// register registers every route. The wildcard of a record's path is always named :id, because gin
// does not allow different names at the same position.
func (s *server) register(r *routing) {
	r.open("GET", homePath, s.Guard(s.home), respond.Attributes{Produces: anyMedia})
	for _, path := range []string{"/favicon.ico", "/favicon.svg"} {
		r.open("GET", path, s.Guard(s.icon), respond.Attributes{Produces: anyMedia})
	}
	probes := readiness.New(s.Responder, s.cfg.Draining, s.app.Health.Ready, s.app.Health.FilesReady)
	r.open("GET", healthzPath, s.Guard(probes.Live), respond.Attributes{Probe: true})
	r.open("GET", readyzPath, s.Guard(probes.Ready), respond.Attributes{Probe: true})
	described := description.New(description.Server{
		Responder: s.Responder, Base: s.links.Base, DemoKey: s.cfg.DemoKey, Delay: s.middleware.DelayFile,
	})
	r.open("GET", openAPIPath, s.Guard(described.OpenAPI()))
	r.Below(referencePath, respond.Attributes{Keyless: true, Produces: mediaHTML})
	if !s.cfg.NoReference {
		r.open("GET", referencePath, s.Guard(described.ReferencePage), respond.Attributes{Produces: mediaHTML})
		r.open("GET", referencePath+"/:id", s.Guard(described.ReferenceFile), respond.Attributes{Produces: anyMedia})
	}
	if s.cfg.Academy != nil {
		r.Below(academySite.path, respond.Attributes{Keyless: true, Produces: anyMedia})
	}
	for _, missing := range s.links.missingSites() {
		r.Below(missing.path, respond.Attributes{Keyless: true, Produces: anyMedia})
	}
	if s.links.servesFiles() {
		r.open("GET", downloads.Path, s.Guard(s.newDownloads().Serve), respond.Attributes{Produces: anyMedia})
	}
	s.in(v2).invitationRoutes(r.open)
	for _, v := range []version{v1, v2} {
		s.in(v).bothVersions(r.byMethod)
	}
	s.in(v1).v1Routes(r.byMethod)
	s.in(v2).v2Routes(r.byMethod)
	s.in(v2).adminRoutes(r.admin)
}

// invitationRoutes registers the routes that need the token of an invitation instead of a
// key.
func (s *server) invitationRoutes(on register) {
	on("GET", invitationPath, s.Guard(s.invitationPage), respond.Attributes{Produces: mediaHTML, FailurePage: s.failedInvitation})
	on("POST", invitationPath, s.Guard(s.acceptOnPage), respond.Attributes{
		Produces: mediaHTML, FailurePage: s.failedInvitation, BodyLimit: acceptanceLimit,
	})
	on("POST", acceptancePath, s.Guard(s.acceptInvitation), respond.Attributes{BodyLimit: acceptanceLimit})
}

// bothVersions registers the routes of both versions.
func (s *server) bothVersions(on register) {
	v, learners := string(s.version), s.version == v2 // learners use v2 only

	on("GET", v+"/analytics/courses", s.handle(s.listCourseAnalytics()), respond.Attributes{Learners: learners, Analytics: true, List: true, CountsRows: true})
	on("GET", v+"/analytics/quiz_scores", s.handle(s.listQuizScores()), respond.Attributes{Learners: learners, Analytics: true, List: true})
	on("GET", v+"/analytics/quiz_raw_answers", s.handle(s.listRawAnswers()), respond.Attributes{Learners: learners, Analytics: true, List: true})

	on("GET", v+"/assignments", s.handle(s.listAssignments()), respond.Attributes{List: true})

	bulkRequest := respond.Attributes{Class: limits.Expensive, BodyLimit: bulkBodyLimit}

	on("POST", v+"/bulk/groups", s.handle(s.acceptBulk(bulk.Groups)), bulkRequest)
	on("POST", v+"/bulk/people", s.handle(s.acceptBulk(bulk.People)), bulkRequest)
	on("GET", v+"/bulk/jobs/:id", s.handle(getHandler(s, s.app.Bulk.Get, s.bulkJob)), respond.Attributes{Class: limits.Large})

	on("GET", v+"/categories", s.handle(s.listCategories()), respond.Attributes{List: true})
	on("GET", v+"/categories/:id", s.handle(getHandler(s, s.app.Categories.Get, s.category)))
	on("POST", v+"/categories", s.handle(s.createCategory()))
	on("PATCH", v+"/categories/:id", s.handle(s.updateCategory()))
	deletes := respond.Attributes{TimeLimit: longTime} // for routes that may change very many records
	on("DELETE", v+"/categories/:id", s.handle(deleteHandler(s, s.app.Categories.Delete, category.Type)))

	on("GET", v+"/coupons", s.handle(s.listCoupons()), respond.Attributes{List: true})
	on("GET", v+"/coupons/:id", s.handle(getHandler(s, s.app.Coupons.Get, s.coupon)))
	on("PATCH", v+"/coupons/:id", s.handle(s.updateCoupon()))
	on("POST", v+"/coupons/:id", s.handle(s.updateCoupon())) // links.self of a coupon lists POST
	on("DELETE", v+"/coupons/:id", s.handle(deleteHandler(s, s.app.Coupons.Delete, coupon.Type)), deletes)
	on("POST", v+"/coupons/:id/activation", s.handle(actionHandler(s.app.Coupons.Activate)))
	on("DELETE", v+"/coupons/:id/activation", s.handle(actionHandler(s.app.Coupons.Deactivate)))

	on("GET", v+"/courses", s.handle(s.listCourses()), respond.Attributes{Learners: learners, List: true})
	on("GET", v+"/courses/:id", s.handle(s.getCourse), respond.Attributes{Learners: learners})

	joins := respond.Attributes{ChangesMany: true}

	on("GET", v+"/groups", s.handle(s.listGroups()), respond.Attributes{List: true})
	on("GET", v+"/groups/:id", s.handle(getHandler(s, s.app.Groups.Get, s.group)))
	on("POST", v+"/groups", s.handle(s.createGroup()))
	on("PATCH", v+"/groups/:id", s.handle(s.updateGroup()))
	on("POST", v+"/groups/:id/relationships/courses", s.handle(relationshipHandler(s, s.app.Groups.AddCourses, idOf, course.Type)),
		respond.Attributes{Class: limits.Long, TimeLimit: longTime})
	on("POST", v+"/groups/:id/relationships/people", s.handle(relationshipHandler(s, s.app.Memberships.AddPeople, idOf, person.Type)), joins)
	on("DELETE", v+"/groups/:id", s.handle(deleteHandler(s, s.app.Groups.Delete, group.Type)), deletes)

	on("GET", v+"/groups/:id/memberships", s.handle(s.listMemberships()), respond.Attributes{List: true})
	on("GET", v+"/memberships/:id", s.handle(getHandler(s, s.app.Memberships.Get, s.membership)))
	on("DELETE", v+"/memberships/:id", s.handle(deleteHandler(s, s.app.Memberships.Delete, membership.Type)))

	on("DELETE", v+"/people/:id", s.handle(deleteHandler(s, s.app.People.Delete, person.Type)), deletes)
	on("POST", v+"/people/:id/relationships/courses", s.handle(s.changeCourseRoles(s.app.Enrollments.Enroll)))
	on("DELETE", v+"/people/:id/relationships/courses", s.handle(s.changeCourseRoles(s.app.Enrollments.Unenroll)))
	on("POST", v+"/people/:id/relationships/groups", s.handle(s.changeGroupRoles(s.app.Memberships.Join)), joins)
	on("DELETE", v+"/people/:id/relationships/groups", s.handle(s.changeGroupRoles(s.app.Memberships.Leave)))

	on("GET", v+"/quizzes", s.handle(s.listQuizzes()), respond.Attributes{List: true})
	on("GET", v+"/quizzes/:id", s.handle(getHandler(s, s.app.Quizzes.Get, s.quiz)))
}

// v1Routes registers the routes of v1 only.
func (s *server) v1Routes(on register) {
	deprecated := respond.Attributes{Successor: s.links.Base + "/v2/people"}
	deprecatedList := respond.Attributes{Successor: deprecated.Successor, List: true}
	deletes := deprecated
	deletes.TimeLimit = longTime

	on("GET", "/v1/learners", s.handle(s.listLearners()), deprecatedList)
	on("GET", "/v1/learners/:id", s.handle(getHandler(s, s.app.Learners.Get, s.learner)), deprecated)
	on("POST", "/v1/learners", s.handle(s.createLearner()), deprecated)
	on("DELETE", "/v1/learners/:id", s.handle(deleteHandler(s, s.app.Learners.Delete, learnerType, person.Type)), deletes)

	on("GET", "/v1/people", s.handle(s.listPeople()), deprecatedList)
	on("GET", "/v1/people/:id", s.handle(getHandler(s, s.app.People.Get, s.person)))
}

// v2Routes registers the routes of v2 only.
func (s *server) v2Routes(on register) {
	own := respond.Attributes{Learners: true} // for routes that learners can use too
	ownList := respond.Attributes{Learners: true, List: true}

	on("GET", "/v2/assignments/:id/submissions", s.handle(s.listSubmissionsOf()), ownList)
	on("GET", "/v2/submissions", s.handle(s.listSubmissions()), ownList)
	on("GET", "/v2/submissions/:id", s.handle(getHandler(s, s.app.Submissions.Get, s.submission)), own)

	s.courseRoutes(on)
	on("POST", "/v2/coupons", s.handle(s.createCoupon()))
	on("GET", "/v2/coupons/:id/redemptions", s.handle(s.listRedemptions()), respond.Attributes{List: true})
	on("POST", "/v2/coupons/:id/redemptions", s.handle(s.redeemCoupon))
	on("GET", "/v2/coupon_redemptions/:id", s.handle(getHandler(s, s.app.Redemptions.Get, s.redemption)))

	on("GET", "/v2/courses/:id/activities", s.handle(s.listCourseActivities()), ownList)
	on("GET", "/v2/courses/:id/structure", s.handle(s.getStructure), respond.Attributes{Class: limits.Large, Learners: true})
	on("PUT", "/v2/courses/:id/structure", s.handle(s.putStructure),
		respond.Attributes{Class: limits.Long, TimeLimit: longTime, BodyLimit: bulkBodyLimit})
	on("GET", "/v2/courses/:id/enrollments", s.handle(s.listEnrollments()), ownList)
	on("GET", "/v2/enrollments/:id", s.handle(getHandler(s, s.app.Enrollments.Get, s.enrollment)), own)

	on("GET", "/v2/activities", s.handle(s.listActivities()), ownList)
	on("GET", "/v2/activities/:id", s.handle(getHandler(s, s.app.Activities.Get, s.activity)), own)

	on("DELETE", "/v2/groups/:id/relationships/courses", s.handle(relationshipHandler(s, s.app.Groups.RemoveCourses, idOf, course.Type)))
	on("DELETE", "/v2/groups/:id/relationships/people", s.handle(relationshipHandler(s, s.app.Memberships.RemovePeople, idOf, person.Type)))

	on("POST", "/v2/groups/:id/relationships/managers", s.handle(relationshipHandler(s, s.app.Memberships.AddManagers, idOf, person.Type)))
	on("DELETE", "/v2/groups/:id/relationships/managers", s.handle(relationshipHandler(s, s.app.Memberships.RemoveManagers, idOf, person.Type)))

	on("GET", "/v2/partnerships", s.handle(s.listPartnerships()), respond.Attributes{List: true})
	on("GET", "/v2/partnerships/:id", s.handle(getHandler(s, s.app.Partnerships.Get, s.partnership)))

	on("GET", "/v2/people", s.handle(s.listFullPeople()), respond.Attributes{List: true})
	on("GET", "/v2/people/:id", s.handle(getHandler(s, s.app.People.Get, s.fullPerson)), own)
	on("POST", "/v2/people", s.handle(s.createPerson()))
	on("GET", "/v2/people/:id/invitation", s.handle(getHandler(s, s.app.Invitations.Get, s.invitation)))
	on("POST", "/v2/people/:id/invitation", s.handle(s.resendInvitation))
	on("PATCH", "/v2/people/:id", s.handle(s.updatePerson()))
	on("POST", "/v2/people/:id/tokens", s.handle(s.createToken))
	on("DELETE", "/v2/people/:id/tokens", s.handle(actionHandler(s.app.Tokens.DeleteAll)))

	// This route is not a List, because CSV columns could not show the types of the records.
	on("GET", "/v2/changes", s.handle(s.listChanges()), respond.Attributes{TimeLimit: s.cfg.TimeLimit + listquery.MaxWait})
	on("GET", "/v2/events", s.handle(s.listEvents()), ownList)
	on("POST", "/v2/events", s.handle(s.recordEvents), own)

	on("POST", "/v2/activities/:id/completions", s.handle(s.completeActivity), own)
	on("POST", "/v2/quizzes/:id/answers", s.handle(s.answerQuiz), respond.Attributes{Class: limits.Large, Learners: true}) // reads the whole quiz
	on("POST", "/v2/courses/:id/attempts", s.handle(s.startCourseAttempt))
	on("POST", submissionsPath, s.handleUnwrapped(s.submitFile), respond.Attributes{Class: limits.Upload, TimeLimit: s.cfg.UploadTime, Learners: true})
	on("GET", "/v2/quiz_attempts", s.handle(s.listQuizAttempts()), ownList)
	on("GET", "/v2/activity_completions", s.handle(s.listCompletions()), ownList)

	on("GET", "/v2/school", s.handle(s.getSchool))
	on("GET", "/v2/property_definitions", s.handle(s.listPropertyDefinitions()), respond.Attributes{List: true})
	on("GET", "/v2/property_definitions/:id", s.handle(getHandler(s, s.app.Properties.Get, s.propertyDefinition)))
}

// courseRoutes registers the routes that change courses.
func (s *server) courseRoutes(on register) {
	const path = "/v2/courses/:id"
	on("POST", "/v2/courses", s.handle(s.createCourse()))
	on("PATCH", path, s.handle(s.ofCourse(s.updateCourse())))
	on("DELETE", path, s.handle(s.ofCourse(s.deleteCourse)), respond.Attributes{Class: limits.Long, TimeLimit: longTime})

	for method, how := range map[string]app.RelationshipOp{"POST": app.AddRelated, "PATCH": app.ReplaceRelated, "DELETE": app.RemoveRelated} {
		on(method, path+"/relationships/categories", s.handle(s.ofCourse(
			relationshipHandler(s, s.app.Courses.Categories(how), idOf, category.Type))))
		on(method, path+"/relationships/instructor_partnerships", s.handle(s.ofCourse(
			relationshipHandler(s, s.app.Courses.Instructors(how), idOf, instructorType, person.PartnershipType))))
	}
	for name, role := range map[string]enrollment.Role{"learners": enrollment.Learner, "managers": enrollment.Manager} {
		on("POST", path+"/relationships/"+name, s.handle(s.ofCourse(
			relationshipHandler(s, s.app.Enrollments.AddPeople(role), idOf, person.Type))))
		on("DELETE", path+"/relationships/"+name, s.handle(s.ofCourse(
			relationshipHandler(s, s.app.Enrollments.RemovePeople(role), idOf, person.Type))))
	}
}

// adminRoutes registers the routes that need a key of scope admin.
func (s *server) adminRoutes(on register) {
	on("POST", "/v2/partnerships", s.handle(s.createPartnership()))
	on("DELETE", "/v2/partnerships/:id", s.handle(deleteHandler(s, s.app.Partnerships.Delete, person.PartnershipType)))

	on("PATCH", "/v2/school", s.handle(s.updateSchool))
	on("POST", "/v2/property_definitions", s.handle(s.createPropertyDefinition()))
	on("PATCH", "/v2/property_definitions/:id", s.handle(s.updatePropertyDefinition()),
		respond.Attributes{Class: limits.Long, TimeLimit: longTime}) // reads the values of all records
	on("DELETE", "/v2/property_definitions/:id", s.handle(s.deletePropertyDefinition()),
		respond.Attributes{Class: limits.Long, TimeLimit: longTime})
	on("GET", exportPath, s.handle(s.export),
		respond.Attributes{Class: limits.Export, TimeLimit: lists.ExportTime, Produces: mediaLines})

	on("GET", "/v2/audit_events", s.handle(s.listAuditEvents()), respond.Attributes{List: true})
	on("GET", "/v2/api_keys", s.handle(s.listKeys()), respond.Attributes{List: true, Class: limits.Large}) // reads all keys
	on("GET", "/v2/api_keys/:id", s.handle(getHandler(s, s.app.Keys.Get, s.key)))
	on("POST", "/v2/api_keys", s.handle(s.createKey))
	on("DELETE", "/v2/api_keys/:id", s.handle(deleteHandler(s, s.app.Keys.Revoke, school.KeyType)))
	on("POST", "/v2/api_keys/:id/rotation", s.handle(s.rotateKey))

	on("GET", "/v2/webhook_endpoints", s.handle(s.listWebhookEndpoints()), respond.Attributes{List: true})
	on("GET", "/v2/webhook_endpoints/:id", s.handle(getHandler(s, s.app.Webhooks.Get, s.webhookEndpoint)))
	on("POST", "/v2/webhook_endpoints", s.handle(s.createWebhookEndpoint))
	on("PATCH", "/v2/webhook_endpoints/:id", s.handle(s.updateWebhookEndpoint()))
	on("DELETE", "/v2/webhook_endpoints/:id", s.handle(deleteHandler(s, s.app.Webhooks.Delete, webhook.Type)),
		respond.Attributes{Class: limits.Long, TimeLimit: longTime})
	on("POST", "/v2/webhook_endpoints/:id/secret", s.handle(s.rotateWebhookSecret))
	on("POST", "/v2/webhook_endpoints/:id/ping", s.handle(s.pingWebhookEndpoint))
	on("POST", "/v2/webhook_endpoints/:id/replay", s.handle(s.replayWebhookEndpoint))
	on("GET", "/v2/webhook_deliveries", s.handle(s.listWebhookDeliveries()), respond.Attributes{List: true})
	on("GET", "/v2/webhook_deliveries/:id", s.handle(getHandler(s, s.app.Webhooks.Delivery, s.webhookDelivery)))
	on("POST", "/v2/webhook_deliveries/:id/replay", s.handle(actionHandler(s.app.Webhooks.ReplayDelivery)))
}
