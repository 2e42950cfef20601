package web

import (
	"net/http"
	"net/url"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// signInForm is the data of the sign-in page.
type signInForm struct {
	ByEmail bool   // whether people sign in by email
	SSO     string // path of the link to the identity provider; blank: none
	Hint    string // who can sign in
	Email   string
	Return  string
	Demo    []DemoPerson
}

// start redirects visitors who are signed in to the teaching app or to their courses, and other
// visitors to the sign-in page.
func start(x *siteRequest) error {
	switch {
	case x.isStaff():
		return x.redirect(appPath)
	case x.visitor != nil:
		return x.redirect("/courses")
	}
	return x.redirect("/sign-in")
}

// appPath is the path, within the academy, that leads to the teaching app. The rest of the path is
// the path in the teaching app. Sign-in links can therefore lead to its pages.
const appPath = "/app"

// toApp redirects to a page of the teaching app.
func toApp(x *siteRequest) error {
	if x.site.staff == "" {
		return errNotFound
	}
	path := strings.TrimPrefix(x.here(), appPath)
	if path != "" && signin.CheckReturn(path) != nil { // the path is decoded here, so it is checked again
		return errNotFound
	}
	http.Redirect(x.w, x.r, x.appURL(path), http.StatusSeeOther)
	return nil
}

// leadBack redirects a visitor who is signed in to the page to which they return, or to the start
// page, which leads to the teaching app or to the courses.
func (x *siteRequest) leadBack(returnTo string) error {
	if signin.CheckReturn(returnTo) != nil {
		returnTo = ""
	}
	return x.redirect(returnTo)
}

// signInPath returns the path of the sign-in page that leads back to a page.
func signInPath(returnTo string) string {
	if returnTo == "" {
		return "/sign-in"
	}
	return "/sign-in?return=" + url.QueryEscape(returnTo)
}

func signInPage(x *siteRequest) error {
	returnTo := x.r.URL.Query().Get("return")
	if x.visitor != nil {
		return x.leadBack(returnTo)
	}
	return x.render(http.StatusOK, "sign-in", x.signInForm("", returnTo))
}

func (x *siteRequest) signInForm(email, returnTo string) signInForm {
	if signin.CheckReturn(returnTo) != nil {
		returnTo = ""
	}
	hints := map[school.AuthMethod]string{
		school.Preregistration: x.texts.HintPreregistration, school.Open: x.texts.HintOpen,
		school.URL: x.texts.HintURL, school.SSO: x.texts.HintSSO,
	}
	form := signInForm{
		ByEmail: x.school.Auth.SignsInByEmail(), Hint: hints[x.school.Auth], Email: email, Return: returnTo, Demo: x.demoPeople(),
	}
	switch {
	case x.school.Auth != school.SSO:
	case x.school.Entry.Provider.IsZero():
		form.Hint = x.texts.HintNoSSO
	default:
		form.SSO = ssoURL(returnTo)
	}
	return form
}

// requestLink requests the email with a sign-in link. The response is the same for every address.
func requestLink(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	if x.site.cfg.Attempts.Take(x.w.Header(), x.r) != nil {
		return errTooMany
	}
	// A network that has used up its emails to strangers can still request emails to people of the
	// school. A refusal would keep these out, because the response must not depend on the address.
	forKnown := !x.site.cfg.Attempts.TakeEmail(x.r)
	err = x.site.app.SignIns.Request(x.r.Context(), x.school, form.Get("email"), form.Get("return"), forKnown)
	if fault.Is(err, fault.Invalid) {
		return x.render(http.StatusUnprocessableEntity, "sign-in", x.signInForm(form.Get("email"), form.Get("return")), x.texts.BadEmail)
	}
	if err != nil {
		return err
	}
	if signin.CheckReturn(form.Get("return")) != nil {
		return x.redirect("/check-mail")
	}
	return x.redirect("/check-mail?return=" + url.QueryEscape(form.Get("return")))
}

// mailCheck is the data of the page after a request for a sign-in link.
type mailCheck struct {
	SignIn string // path of the sign-in page, for another try
	Logged bool   // whether the server does not send the email
}

func checkMail(x *siteRequest) error {
	returnTo := x.r.URL.Query().Get("return")
	if signin.CheckReturn(returnTo) != nil {
		returnTo = ""
	}
	return x.render(http.StatusOK, "check-mail", mailCheck{signInPath(returnTo), x.site.cfg.MailIsLogged})
}

// confirmation is the data of the page on which a person confirms a sign-in link.
type confirmation struct{ Email string }

// confirmLink asks for a click, because mail programs open links before people do.
func confirmLink(x *siteRequest) error {
	l, err := x.link()
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "confirm", confirmation{l.Email})
}

// link returns the sign-in link in the path. An unknown token counts toward the limit of attempts.
func (x *siteRequest) link() (signin.Link, error) {
	if x.site.cfg.Attempts.Check(x.w.Header(), x.r) != nil {
		return signin.Link{}, errTooMany
	}
	l, err := x.site.app.SignIns.Link(x.r.Context(), x.school, x.r.PathValue("token"))
	if fault.Is(err, fault.NotFound) {
		_ = x.site.cfg.Attempts.Take(x.w.Header(), x.r) // limits only later requests
	}
	return l, err
}

// useLink uses the sign-in link in the path and signs its person in.
func useLink(x *siteRequest) error {
	if _, err := x.link(); err != nil {
		return err
	}
	in, err := x.site.app.SignIns.UseLink(x.r.Context(), x.school, x.r.PathValue("token"), x.r.UserAgent())
	if err != nil {
		return err
	}
	x.setSession(in.Token)
	return x.leadBack(in.Return)
}

// schoolChoice is the data of the page on which visitors choose their school.
type schoolChoice struct{ Slug string }

// chooseSchool asks for the slug of the school. If the server has only one school, it redirects
// there.
func chooseSchool(x *siteRequest) error {
	s, err := x.site.app.SignIns.OnlySchool(x.r.Context())
	switch {
	case err == nil:
		x.school = s
		return x.redirect("")
	case !fault.Is(err, fault.NotFound):
		return err
	}
	return x.render(http.StatusOK, "choose", schoolChoice{})
}

// goToSchool redirects to the school whose slug was entered.
func goToSchool(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	if x.site.cfg.Attempts.Check(x.w.Header(), x.r) != nil {
		return errTooMany
	}
	slug := strings.ToLower(strings.TrimSpace(form.Get("school")))
	s, err := x.site.app.SignIns.School(x.r.Context(), slug)
	if fault.Is(err, fault.NotFound) {
		_ = x.site.cfg.Attempts.Take(x.w.Header(), x.r) // limits only later requests
		return x.render(http.StatusUnprocessableEntity, "choose", schoolChoice{slug}, x.texts.UnknownSchool)
	}
	if err != nil {
		return err
	}
	x.school = s
	return x.redirect("")
}
