package web

import (
	"net/http"
	"net/url"
	"strconv"

	"lyceum/domain/signin"
)

// entry returns the entry link with the given parameters, and its signature.
func entry(query url.Values) (signin.Entry, string) {
	// The error can be ignored: with the value of an invalid number, the link is expired or its
	// signature does not match.
	expires, _ := strconv.ParseInt(query.Get("expires"), 10, 64)
	return signin.Entry{
		Email: query.Get("email"), FirstName: query.Get("first_name"), LastName: query.Get("last_name"),
		Return: query.Get("return"), Nonce: query.Get("nonce"), Expires: expires,
	}, query.Get("signature")
}

// entryPage signs a person in with an entry link. If another person is signed in, it asks first, so
// that a link from another person cannot replace the session unnoticed. It also asks if the request
// is not a visit, so that such a request does not use the link up.
func entryPage(x *siteRequest) error {
	if x.visitor == nil && x.isVisit() {
		return enter(x)
	}
	e, signature := entry(x.r.URL.Query())
	if err := x.site.app.SignIns.CheckEntry(x.school, e, signature); err != nil {
		return x.failedEntry(err)
	}
	if x.isVisit() && signin.SameAddress(x.visitor.Person.Email, e.Email) {
		return enter(x)
	}
	return x.render(http.StatusOK, "confirm", confirmation{e.Email})
}

// enter uses an entry link.
func enter(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	e, signature := entry(x.r.URL.Query())
	in, err := x.site.app.SignIns.Enter(x.r.Context(), x.school, e, signature, x.r.UserAgent())
	if err != nil {
		return x.failedEntry(err)
	}
	x.setSession(in.Token)
	return x.leadBack(in.Return)
}

// failedEntry counts a refused link toward the limit of attempts, and returns err.
func (x *siteRequest) failedEntry(err error) error {
	_ = x.site.cfg.Attempts.Take(x.w.Header(), x.r) // limits only later requests
	return err
}
