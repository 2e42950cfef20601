package teaching

import (
	"net/http"

	"lyceum/domain/fault"
)

// routes registers all pages. A pattern is relative to Prefix.
func (s *Site) routes() {
	s.page("GET /{school}", dashboard)

	s.page("GET /{school}/people", people)
	s.page("GET /{school}/people/{person}", showPerson)

	s.page("GET /{school}/courses", courses)
	s.page("GET /{school}/courses/{course}", showCourse)

	s.page("/{school}/{rest...}", func(*exchange) error { return errNotFound })
}

// handler responds to a request, or returns the error for the response.
type handler func(x *exchange) error

// page registers a page of a school for its staff. Visitors who are not signed in must sign in
// first, and then return to the page.
func (s *Site) page(pattern string, h handler) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{site: s, w: w, r: r}
		if err := x.serve(h); err != nil {
			s.fail(x, err)
		}
	})
}

func (x *exchange) serve(h handler) (err error) {
	if x.Visit, err = x.site.academy.Visit(x.w, x.r, x.r.PathValue("school")); err != nil {
		return err
	}
	if x.Visitor == nil {
		return fault.BadCredentials()
	}
	if x.staff, err = x.site.app.Enter(x.r.Context(), *x.Visitor); err != nil {
		return err
	}
	return h(x)
}
