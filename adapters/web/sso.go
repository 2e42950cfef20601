package web

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/signin"
)

const (
	// ssoPath is the path, within the academy of a school, on which visitors go to the identity
	// provider.
	ssoPath = "/sso"
	// ssoReturnPath is the path to which the provider sends the browser back.
	ssoReturnPath = ssoPath + "/return"
)

// beginSSO sends the browser to the identity provider of the school. A cookie contains the attempt
// and the page to which the visitor returns.
func beginSSO(x *siteRequest) error {
	if x.visitor != nil {
		return start(x)
	}
	returnTo := x.r.URL.Query().Get("return")
	if signin.CheckReturn(returnTo) != nil {
		returnTo = ""
	}
	if err := x.awaitProvider(); err != nil {
		return err
	}
	a, address, err := x.site.app.SignIns.BeginSSO(x.r.Context(), x.school, x.ssoAddress())
	if err != nil {
		return x.failedSSO(err, returnTo)
	}
	x.setSSO(a.Token()+"."+base64.RawURLEncoding.EncodeToString([]byte(returnTo)), int(signin.AttemptLifetime.Seconds()))
	http.Redirect(x.w, x.r, address, http.StatusSeeOther)
	return nil
}

// completeSSO signs in the person whom the identity provider has identified.
func completeSSO(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	var token, returnTo string
	if c, err := x.r.Cookie(x.ssoCookieName()); err == nil {
		i := strings.LastIndexByte(c.Value, '.')
		saved, err := base64.RawURLEncoding.DecodeString(c.Value[i+1:])
		if token = c.Value[:max(i, 0)]; err == nil && signin.CheckReturn(string(saved)) == nil {
			returnTo = string(saved)
		}
	}
	if err := x.awaitProvider(); err != nil {
		return err
	}
	query := x.r.URL.Query()
	returned := signin.Returned{
		State: query.Get("state"), Code: query.Get("code"), Issuer: query.Get("iss"), Error: query.Get("error"),
	}
	in, err := x.site.app.SignIns.CompleteSSO(x.r.Context(), x.school, x.ssoAddress(), token, returned, x.r.UserAgent())
	if err != nil {
		_ = x.site.cfg.Attempts.Take(x.w.Header(), x.r) // limits only later requests
		return x.failedSSO(err, returnTo)
	}
	x.setSSO("", -1)
	x.setSession(in.Token)
	return x.leadBack(returnTo)
}

// awaitProvider waits until the school can wait for its identity provider.
func (x *siteRequest) awaitProvider() error {
	return x.site.cfg.Admission.AdmitWork(x.r.Context(), x.school.ID, Wait)
}

// failedSSO shows the sign-in page with the reason why a sign-in at the provider failed, so that
// the visitor can try again.
func (x *siteRequest) failedSSO(err error, returnTo string) error {
	form := x.signInForm("", returnTo)
	if fault.Is(err, fault.Gone) {
		return x.render(http.StatusGone, "sign-in", form, x.texts.LostSSO)
	}
	if refused, ok := problems(err); ok {
		return x.render(http.StatusForbidden, "sign-in", form, refused...)
	}
	return err
}

// ssoAddress returns the public URL to which the provider sends the browser back.
func (x *siteRequest) ssoAddress() string { return x.site.origin + x.url(ssoReturnPath) }

// ssoURL returns the path, within the school, of the link that leads to the provider.
func ssoURL(returnTo string) string {
	if returnTo == "" {
		return ssoPath
	}
	return ssoPath + "?return=" + url.QueryEscape(returnTo)
}

func (x *siteRequest) ssoCookieName() string { return x.site.cookieName() + "-sso" }

func (x *siteRequest) setSSO(value string, age int) {
	http.SetCookie(x.w, &http.Cookie{
		Name: x.ssoCookieName(), Value: value, Path: x.url(ssoPath), MaxAge: age,
		HttpOnly: true, Secure: x.site.secure, SameSite: http.SameSiteLaxMode,
	})
}
