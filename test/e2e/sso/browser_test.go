package sso_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// browser keeps cookies and follows redirects.
type browser struct {
	t        *testing.T
	client   *http.Client
	returned string // URL with which the provider has sent the browser back
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, client: &http.Client{Jar: jar}}
	b.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(r.URL.Path, "/sso/return") {
			b.returned = r.URL.String()
		}
		return nil
	}
	return b
}

// page is a response after all redirects.
type page struct {
	status    int
	url, body string
}

func (b *browser) get(address string) page {
	b.t.Helper()
	response, err := b.client.Get(address)
	return b.read(response, err)
}

func (b *browser) post(address string, form url.Values) page {
	b.t.Helper()
	response, err := b.client.PostForm(address, form)
	return b.read(response, err)
}

func (b *browser) read(response *http.Response, err error) page {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return page{response.StatusCode, response.Request.URL.String(), string(text)}
}

var (
	signInLink = regexp.MustCompile(`<a class="button" href="([^"]*/sso[^"]*)">`)
	request    = regexp.MustCompile(`name="id" value="([^"]*)"`)
)

// signIn follows the link of a sign-in page and signs in at the provider.
func (b *browser) signIn(p page, name string) page {
	b.t.Helper()
	from, err := url.Parse(p.url)
	link := signInLink.FindStringSubmatch(p.body)
	if err != nil || link == nil {
		b.t.Fatal("no link to the provider in ", p.body)
	}
	to, err := from.Parse(html.UnescapeString(link[1]))
	if err != nil {
		b.t.Fatal(err)
	}
	form := b.get(to.String())
	asked := request.FindStringSubmatch(form.body)
	if asked == nil {
		b.t.Fatal("no form of the provider in ", form.url, form.body)
	}
	at, err := url.Parse(form.url)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.post("http://"+at.Host+"/login/username", url.Values{"id": {asked[1]}, "username": {name}, "password": {"only for tests"}})
}
