package teaching

import (
	"net/http"

	"lyceum/domain/fault"
)

// routes registers all pages. A pattern is relative to Prefix.
func (s *Site) routes() {
	s.page("GET /{school}", dashboard)
	s.peopleRoutes()
	s.courseRoutes()
	s.groupRoutes()
	s.schoolRoutes()
	s.page("/{school}", func(*siteRequest) error { return errNotFound }) // else the mux redirects to a path without Prefix
	s.page("/{school}/{rest...}", func(*siteRequest) error { return errNotFound })
}

func (s *Site) peopleRoutes() {
	s.page("GET /{school}/people", people)
	s.page("POST /{school}/people", invite)
	s.page("GET /{school}/people/invite", inviteForm)
	s.page("GET /{school}/people/import", importForm)
	s.page("POST /{school}/people/import", importPeople)
	s.page("GET /{school}/people/import/example", importExample)
	s.page("GET /{school}/imports/{job}", showImport)
	s.page("GET /{school}/people/{person}", showPerson)
	s.page("GET /{school}/people/{person}/edit", editPersonForm)
	s.page("POST /{school}/people/{person}/edit", editPerson)
	s.page("GET /{school}/people/{person}/remove", removePersonForm)
	s.page("POST /{school}/people/{person}/remove", removePerson)
	s.page("POST /{school}/people/{person}/courses", enrollInCourse)
	s.page("POST /{school}/people/{person}/resend", resendInvitation)
	s.page("POST /{school}/people/{person}/link", createSignInLink)
	s.page("POST /{school}/people/{person}/roles", giveRole)
	s.page("GET /{school}/people/{person}/roles/{role}/end", endRoleForm)
	s.page("POST /{school}/people/{person}/roles/{role}/end", endRole)
}

func (s *Site) courseRoutes() {
	s.page("GET /{school}/courses", courses)
	s.page("POST /{school}/courses", createCourse)
	s.page("GET /{school}/add-course", newCourseForm)
	s.page("GET /{school}/courses/{course}", showCourse)
	s.page("GET /{school}/courses/{course}/edit", editCourseForm)
	s.page("POST /{school}/courses/{course}/edit", editCourse)
	s.page("GET /{school}/courses/{course}/remove", removeCourseForm)
	s.page("POST /{school}/courses/{course}/remove", removeCourse)
	s.page("POST /{school}/courses/{course}/learners", enrollPerson)
	s.page("POST /{school}/courses/{course}/learners/{person}/unenroll", unenrollPerson)
	s.page("GET /{school}/courses/{course}/builder", showBuilder)
	s.page("POST /{school}/courses/{course}/builder", saveActivity)
	s.page("GET /{school}/courses/{course}/add", newActivityForm)
	s.page("GET /{school}/courses/{course}/builder/{activity}", editActivityForm)
	s.page("POST /{school}/courses/{course}/builder/{activity}", saveActivity)
	s.page("POST /{school}/courses/{course}/builder/{activity}/move", moveActivity)
	s.page("POST /{school}/courses/{course}/builder/{activity}/remove", removeActivity)
	s.page("POST /{school}/courses/{course}/builder/{activity}/restore", restoreActivity)
	s.page("GET /{school}/categories", categories)
	s.page("POST /{school}/categories", createCategory)
	s.page("GET /{school}/categories/{category}", showCategory)
	s.page("POST /{school}/categories/{category}", renameCategory)
	s.page("GET /{school}/categories/{category}/remove", removeCategoryForm)
	s.page("POST /{school}/categories/{category}/remove", removeCategory)
	s.page("GET /{school}/results", results)
	s.page("GET /{school}/answers", answers)
	s.page("GET /{school}/quizzes/{quiz}", showQuiz)
	s.page("GET /{school}/quizzes/{quiz}/builder", buildQuiz)
	s.page("GET /{school}/assignments/{assignment}", showAssignment)
	s.page("GET /{school}/submissions", submissions)
	s.page("GET /{school}/submissions/{submission}/file", downloadFile)
}

func (s *Site) groupRoutes() {
	s.page("GET /{school}/groups", groups)
	s.page("POST /{school}/groups", createGroup)
	s.page("GET /{school}/groups/{group}", showGroup)
	s.page("POST /{school}/groups/{group}", editGroup)
	s.page("GET /{school}/groups/{group}/remove", removeGroupForm)
	s.page("POST /{school}/groups/{group}/remove", removeGroup)
	s.page("POST /{school}/groups/{group}/courses", addCourse)
	s.page("POST /{school}/groups/{group}/courses/{course}/remove", removeCourseFromGroup)
	s.page("POST /{school}/groups/{group}/members", addMember)
	s.page("POST /{school}/groups/{group}/members/{person}/remove", removeMember)
}

func (s *Site) schoolRoutes() {
	s.page("GET /{school}/coupons", coupons)
	s.page("POST /{school}/coupons", createCoupon)
	s.page("GET /{school}/coupons/{coupon}", showCoupon)
	s.page("POST /{school}/coupons/{coupon}", editCoupon)
	s.page("POST /{school}/coupons/{coupon}/enabled", enableCoupon)
	s.page("GET /{school}/coupons/{coupon}/remove", removeCouponForm)
	s.page("POST /{school}/coupons/{coupon}/remove", removeCoupon)
	s.page("GET /{school}/jobs", failedJobs)
	s.page("POST /{school}/jobs/{job}/retry", retryJob)
	s.page("GET /{school}/audit", trail)
	s.page("GET /{school}/settings", settings)
	s.page("POST /{school}/settings", saveSettings)
	s.page("GET /{school}/keys", keys)
	s.page("POST /{school}/keys", createKey)
	s.page("POST /{school}/keys/{key}/rotate", rotateKey)
	s.page("GET /{school}/keys/{key}/revoke", revokeKeyForm)
	s.page("POST /{school}/keys/{key}/revoke", revokeKey)
	s.page("GET /{school}/webhooks", webhooks)
	s.page("POST /{school}/webhooks", createWebhook)
	s.page("GET /{school}/webhooks/{endpoint}", showWebhook)
	s.page("POST /{school}/webhooks/{endpoint}", editWebhook)
	s.page("POST /{school}/webhooks/{endpoint}/enabled", enableWebhook)
	s.page("POST /{school}/webhooks/{endpoint}/rotate", rotateWebhook)
	s.page("POST /{school}/webhooks/{endpoint}/ping", pingWebhook)
	s.page("POST /{school}/webhooks/{endpoint}/replay", replayWebhook)
	s.page("POST /{school}/webhooks/{endpoint}/deliveries/{delivery}/replay", replayDelivery)
	s.page("GET /{school}/webhooks/{endpoint}/remove", removeWebhookForm)
	s.page("POST /{school}/webhooks/{endpoint}/remove", removeWebhook)
}

// handler responds to a request, or returns the error for the response.
type handler func(x *siteRequest) error

// page registers a page of a school for its staff. Visitors who are not signed in must sign in
// first, and then return to the page.
func (s *Site) page(pattern string, h handler) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		x := &siteRequest{site: s, w: w, r: r}
		if err := x.serve(h); err != nil {
			s.fail(x, err)
		}
	})
}

func (x *siteRequest) serve(h handler) error {
	if err := x.identify(); err != nil {
		return err
	}
	return h(x)
}

// identify finds the school, the session and the role of the visitor.
func (x *siteRequest) identify() (err error) {
	if x.Visit, err = x.site.academy.Visit(x.w, x.r, x.r.PathValue("school")); err != nil {
		return err
	}
	if x.Visitor == nil {
		return fault.BadCredentials()
	}
	if err := x.AdmitVisitor(); err != nil {
		return err
	}
	x.staff, err = x.site.app.Enter(x.r.Context(), *x.Visitor)
	return err
}
