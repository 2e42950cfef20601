package httpapi

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"
	"lyceum/domain/category"
	"lyceum/domain/person"
)

// keyless is the paths that answer without a key.
var keyless = []string{"/healthz", "/readyz"}

// routes lists every route, in the order of the specification. GET answers HEAD
// as well, PATCH answers PUT; one name, :id, stands for every wildcard, since
// gin allows no two in one place.
func (s *server) routes(e *gin.Engine) {
	on := func(method, path string, handlers ...gin.HandlerFunc) {
		e.Handle(method, path, handlers...)
		switch method {
		case http.MethodGet:
			e.Handle(http.MethodHead, path, handlers...)
		case http.MethodPatch:
			e.Handle(http.MethodPut, path, handlers...)
		}
	}
	onPeople := s.deprecated("/v2/people")

	on("GET", "/healthz", s.step(s.healthz))
	on("GET", "/readyz", s.step(s.readyz))

	on("GET", "/v1/categories", s.handle(s.listCategories()))
	on("GET", "/v1/categories/:id", s.handle(show(s, s.app.Categories.Get, s.category)))
	on("POST", "/v1/categories", s.handle(s.createCategory))
	on("PATCH", "/v1/categories/:id", s.handle(s.updateCategory))
	on("DELETE", "/v1/categories/:id", s.handle(remove(s, s.app.Categories.Delete, category.Type)))

	on("GET", "/v1/courses", s.handle(s.listCourses()))
	on("GET", "/v1/courses/:id", s.handle(s.getCourse))

	on("GET", "/v1/learners", onPeople, s.handle(s.listLearners()))
	on("GET", "/v1/learners/:id", onPeople, s.handle(show(s, s.app.Learners.Get, s.learner)))
	on("POST", "/v1/learners", onPeople, s.handle(s.createLearner))
	on("DELETE", "/v1/learners/:id", onPeople, s.handle(remove(s, s.app.Learners.Delete, learnerType, person.Type)))

	on("GET", "/v1/people", onPeople, s.handle(s.listPeople()))
	on("GET", "/v1/people/:id", s.handle(show(s, s.app.People.Get, s.person)))
	on("DELETE", "/v1/people/:id", s.handle(remove(s, s.app.People.Delete, person.Type)))
	on("POST", "/v1/people/:id/relationships/courses", s.handle(s.enroll))
	on("DELETE", "/v1/people/:id/relationships/courses", s.handle(s.unenroll))
}

// needsKey tells whether the request's path is answered only with a key.
func needsKey(c *gin.Context) bool { return !slices.Contains(keyless, c.Request.URL.Path) }
