package web

import (
	"net/http"

	"lyceum/domain/fault"
)

// offer is the data of the page of an enrollment link.
type offer struct{ Name string }

// enrollPage asks whether the visitor wants to be enrolled in the course of an enrollment link.
func enrollPage(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	c, err := x.site.app.Academy.CourseByToken(x.r.Context(), x.school.ID, x.r.PathValue("token"))
	if err != nil {
		return x.countUnknown(err)
	}
	return x.render(http.StatusOK, "enroll", offer{c.Name})
}

// enroll enrolls the visitor in the course of an enrollment link, and redirects to the course.
func enroll(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	c, err := x.site.app.Academy.Enroll(x.r.Context(), *x.visitor, x.r.PathValue("token"))
	if refused, ok := problems(err); ok {
		return x.render(http.StatusForbidden, "enroll", offer{c.Name}, refused...)
	}
	if err != nil {
		return x.countUnknown(err)
	}
	return x.redirect("/courses/" + c.ID.String())
}

// joinPage asks whether the visitor wants to join the group of an enrollment link.
func joinPage(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	g, err := x.site.app.Academy.GroupByToken(x.r.Context(), x.school.ID, x.r.PathValue("token"))
	if err != nil {
		return x.countUnknown(err)
	}
	return x.render(http.StatusOK, "join", offer{g.Name})
}

// join makes the visitor a member of the group of an enrollment link.
func join(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	g, err := x.site.app.Academy.Join(x.r.Context(), *x.visitor, x.r.PathValue("token"))
	if refused, ok := problems(err); ok {
		return x.render(http.StatusForbidden, "join", offer{g.Name}, refused...)
	}
	if err != nil {
		return x.countUnknown(err)
	}
	return x.redirect("/courses")
}

// checkAttempts returns an error if the client has guessed too many links.
func (x *siteRequest) checkAttempts() error {
	if x.site.cfg.Attempts.Check(x.w.Header(), x.r) != nil {
		return errTooMany
	}
	return nil
}

// countUnknown returns err. If err means that the link is unknown, it counts toward the limit of
// attempts.
func (x *siteRequest) countUnknown(err error) error {
	if fault.Is(err, fault.NotFound) {
		_ = x.site.cfg.Attempts.Take(x.w.Header(), x.r) // limits only later requests
	}
	return err
}
