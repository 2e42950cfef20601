package web

import (
	"net/http"

	"lyceum/domain/signin"
	"lyceum/domain/text"
)

// device is a session in the list of the visitor's sessions.
type device struct {
	ID, Name     string // the name is blank if the browser sent none
	Since, Until string // days in UTC
	This         bool   // whether the request belongs to this session
}

// sessionsPage lists the active sessions of the visitor.
func sessionsPage(x *siteRequest) error {
	found, err := x.site.app.SignIns.Sessions(x.r.Context(), x.school.ID, x.visitor.Person.ID)
	if err != nil {
		return err
	}
	devices := make([]device, len(found))
	for i, s := range found {
		devices[i] = device{
			ID: s.ID.String(), Name: deviceName(s.Device), This: s.ID == x.visitor.Session.ID,
			Since: x.texts.date(s.CreatedAt), Until: x.texts.date(s.ExpiresAt),
		}
	}
	return x.render(http.StatusOK, "sessions", devices)
}

// endSession ends the session in the path, if it belongs to the visitor.
func endSession(x *siteRequest) error {
	id, ok := text.UUID(x.r.PathValue("id"))
	if !ok {
		return errNotFound
	}
	err := x.site.app.SignIns.End(x.r.Context(), *x.visitor, signin.SessionID{UUID: id})
	if err != nil {
		return err
	}
	return x.redirect("/sessions")
}

func signOut(x *siteRequest) error {
	err := x.site.app.SignIns.End(x.r.Context(), *x.visitor, x.visitor.Session.ID)
	if err != nil {
		return err
	}
	x.clearSession()
	return x.redirect("/sign-in")
}

func signOutEverywhere(x *siteRequest) error {
	if err := x.site.app.SignIns.EndAll(x.r.Context(), *x.visitor); err != nil {
		return err
	}
	x.clearSession()
	return x.redirect("/sign-in")
}
