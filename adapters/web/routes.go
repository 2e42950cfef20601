package web

import "net/http"

// routes registers all pages. A pattern is relative to Prefix.
func (s *Site) routes() {
	s.open("GET /{$}", chooseSchool)
	s.open("POST /{$}", goToSchool)

	s.in("GET /{school}", start)
	s.in("GET /{school}/sign-in", signInPage)
	s.in("POST /{school}/sign-in", requestLink)
	s.in("GET /{school}/check-mail", checkMail)
	s.in("GET /{school}/sign-in/{token}", confirmLink)
	s.in("POST /{school}/sign-in/{token}", useLink)
	s.in("POST /{school}/demo", demoSignIn)
	s.in("GET /{school}/enter", entryPage)
	s.in("POST /{school}/enter", enter)
	s.in("GET /{school}"+ssoPath, beginSSO)
	s.in("GET /{school}"+ssoReturnPath, completeSSO)

	s.in("GET /{school}"+appPath, toApp)
	s.in("GET /{school}"+appPath+"/{rest...}", toApp)

	s.in("GET /{school}/outline/{permalink}/cover", coverPage)

	s.member("GET /{school}/courses", ownCourses)
	s.member("GET /{school}/c/{token}", enrollPage)
	s.member("POST /{school}/c/{token}", enroll)
	s.member("GET /{school}/g/{token}", joinPage)
	s.member("POST /{school}/g/{token}", join)
	s.member("GET /{school}/coupon", couponPage)
	s.member("GET /{school}/coupon/used", usedCouponPage)
	s.member("POST /{school}/coupon", redeemCoupon)
	s.member("GET /{school}/sessions", sessionsPage)
	s.member("POST /{school}/sessions/{id}/end", endSession)
	s.member("POST /{school}/sign-out", signOut)
	s.member("POST /{school}/sign-out-everywhere", signOutEverywhere)

	s.playerRoutes()

	s.in("/{school}", func(*siteRequest) error { return errNotFound }) // else the mux redirects to a path without Prefix
	s.in("/{school}/{rest...}", func(*siteRequest) error { return errNotFound })
	s.open("/", func(*siteRequest) error { return errNotFound })
}

// handler responds to a request, or returns the error for the response.
type handler func(x *siteRequest) error

// open registers a page that belongs to no school.
func (s *Site) open(pattern string, h handler) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		s.serve(&siteRequest{site: s, w: w, r: r, texts: textsFor(r)}, h)
	})
}

// in registers a page of a school. Visitors need not be signed in.
func (s *Site) in(pattern string, h handler) {
	s.open(pattern, func(x *siteRequest) error {
		if err := x.enterSchool(); err != nil {
			return err
		}
		return h(x)
	})
}

// member registers a page of a school for visitors who are signed in. Other visitors must sign in
// first, and then return to the page.
func (s *Site) member(pattern string, h handler) {
	s.in(pattern, func(x *siteRequest) error {
		if x.visitor == nil {
			return errSignIn
		}
		if err := x.admitVisitor(); err != nil {
			return err
		}
		return h(x)
	})
}

// admitVisitor waits until the school can do the work of a page for the visitor, who is signed in.
func (x *siteRequest) admitVisitor() error {
	return x.site.cfg.Admission.AdmitVisitor(x.r.Context(), x.school.ID, x.visitor.Person.ID)
}

func (s *Site) serve(x *siteRequest, h handler) {
	if err := h(x); err != nil {
		s.fail(x, err)
	}
}
