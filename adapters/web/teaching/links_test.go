package teaching_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/audit"
	"lyceum/domain/person"
	"lyceum/test/kit/stores"
)

// add invites a person, gives the person the roles, and returns the path of their page.
func (s *server) add(t *testing.T, b *browser, email string, roles ...string) string {
	t.Helper()
	is := is.New(t)
	path, _, saved := strings.Cut(b.post("/people", "email", email).path, "?done=1")
	is.True(saved)
	for _, role := range roles {
		is.Equal(b.post(path+"/roles", "role", role).path, path+"?done=1")
	}
	return path
}

// An owner lets in people whose role is not that of an owner, with a link.
func TestSignInLinkByRole(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		for _, tt := range []struct {
			email string
			roles []string
			enter string // path to which the link leads; blank: no link can be created
		}{
			{"learner.new@example.test", nil, s.academy + "/courses"},
			{"instructor.new@example.test", []string{"instructor"}, ""},
			{"manager.new@example.test", []string{"instructor", "manager"}, ""},
			{"owner.new@example.test", []string{"instructor", "owner"}, "refused"},
		} {
			path := s.add(t, b, tt.email, tt.roles...)
			p := b.get(path)
			refused := tt.enter == "refused"
			is.True(p.has(path+"/link") != refused)
			is.Equal(p.has("No sign-in link can be created for an owner."), refused)
			p = b.post(path + "/link")
			if refused {
				is.Equal(p.status, http.StatusUnprocessableEntity)
				is.True(p.has("A sign-in link cannot be created for an owner of the school"))
				continue
			}
			is.Equal(p.status, http.StatusOK)
			events, err := s.Audit.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
			is.NoErr(err)
			made := events.Items[0]
			is.Equal([]any{made.Action, made.Record.Type, made.Origin.Person}, []any{audit.Created, "sign_in_links", s.personID(t, owner)})
			_, link, found := strings.Cut(p.body, `class="secret">`)
			is.True(found)
			link, _, _ = strings.Cut(link, "<")
			is.Equal(s.browser(t).send(http.MethodPost, link, nil, formType, "same-origin").path, tt.enter)
		}
	})
}

// personID returns the ID of the person with the address.
func (s *server) personID(t *testing.T, email string) person.ID {
	t.Helper()
	is := is.New(t)
	all, err := s.People.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
	is.NoErr(err)
	for _, p := range all.Items {
		if p.Email == email {
			return p.ID
		}
	}
	t.Fatalf("no person has the address %s", email)
	return person.ID{}
}

// Pages do not say that an email was sent if the server writes emails to its log.
func TestMailIsLogged(t *testing.T) {
	const notice = "This server does not send emails."
	for _, tt := range []struct {
		name   string
		logged bool
	}{{"sent", false}, {"logged", true}} {
		t.Run(tt.name, func(t *testing.T) {
			stores.Each(t, func(t *testing.T, open stores.Opener) {
				is := is.New(t)
				s := newServerWith(t, open, web.Config{MailIsLogged: tt.logged})
				b := s.as(t, owner)
				form := b.get("/people/invite")
				is.Equal(form.has(notice), tt.logged)
				is.Equal(form.has("Send the invitation"), !tt.logged)
				is.Equal(b.get("/people/import").has(notice+" An owner of the school can create a sign-in link on the page of each person."), tt.logged)
				p := b.get(s.add(t, b, "eve@example.test", "manager"))
				is.Equal(p.has(notice+" Create a sign-in link and hand it to the person."), tt.logged)
				is.Equal(p.has("Last invitation email:"), !tt.logged)
				is.Equal(p.has("Send the invitation again"), !tt.logged)
				is.Equal(b.get(s.add(t, b, "olga@example.test", "owner")).has(notice), tt.logged)

				m := s.as(t, manager)
				p = m.get("/people/" + s.personID(t, "eve@example.test").String())
				is.Equal(p.has(notice+" An owner of the school can create a sign-in link for the person."), tt.logged)
				is.True(!p.has("/link\""))
				b.language = "de"
				is.Equal(b.get("/people/invite").has("Dieser Server sendet keine E-Mails."), tt.logged)

				v := s.browser(t)
				p = v.send(http.MethodPost, s.academy+"/sign-in", strings.NewReader(formOf("email", learner)), formType, "same-origin")
				is.Equal(p.path, s.academy+"/check-mail")
				is.Equal(p.has("<h1>This server does not send emails</h1>"), tt.logged)
				is.Equal(p.has("an email with a link is on its way"), !tt.logged)
			})
		})
	}
}
