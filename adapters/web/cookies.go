package web

import (
	"net/http"

	"lyceum/domain/signin"
)

// cookieName returns the name of the cookie with the token of a session. With HTTPS its prefix
// makes browsers refuse the cookie over plain HTTP.
func (s *Site) cookieName() string {
	if s.secure {
		return "__Secure-lyceum"
	}
	return "lyceum"
}

// sessionToken returns the token of the session in the cookie.
func (x *siteRequest) sessionToken() (string, bool) {
	c, err := x.r.Cookie(x.site.cookieName())
	if err != nil || c.Value == "" {
		return "", false
	}
	return c.Value, true
}

// setSession saves the token of a session in the browser, for the pages of the school only: those
// of the academy and those of the teaching app.
func (x *siteRequest) setSession(token string) {
	x.setCookie(token, int(signin.SessionLifetime.Seconds()))
}

func (x *siteRequest) clearSession() { x.setCookie("", -1) }

func (x *siteRequest) setCookie(token string, age int) {
	paths := []string{x.url("")}
	if x.site.staff != "" {
		paths = append(paths, x.appURL(""))
	}
	for _, path := range paths {
		http.SetCookie(x.w, &http.Cookie{
			Name: x.site.cookieName(), Value: token, Path: path, MaxAge: age,
			HttpOnly: true, Secure: x.site.secure, SameSite: http.SameSiteLaxMode,
		})
	}
}
