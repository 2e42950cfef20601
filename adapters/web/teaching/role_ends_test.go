package teaching_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/auth"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

// roleEnd ends the role of an owner on another instance of the server while a request of the owner
// is executed.
type roleEnd struct {
	*server
	instance *app.App // the other instance
	at       string   // the call of the store before which the role ends
	end      func()   // nil: the role does not end
	begun    bool     // whether the request has entered the teaching app
}

func (e *roleEnd) hook(_ context.Context, call string) error {
	adds := e.at == "InTx" && call == "AddPerson"
	switch {
	case e.end == nil:
	case call == "Reader.Partnerships.List": // of Enter
		e.begun = true
	case e.begun && (call == e.at || adds):
		end := e.end
		e.end = nil
		end()
	}
	return nil
}

// newRoleEnd returns a server for requests of the owner on the instance one, and a second owner.
func newRoleEnd(t *testing.T, one, other stores.Backend, at string) *roleEnd {
	t.Helper()
	e := &roleEnd{at: at}
	on := stores.Backend{Store: intercept.Store(one.Store, e.hook), Schools: one.Schools, Queue: one.Queue}
	e.server = newServer(t, func(*testing.T) stores.Backend { return on })
	e.instance = app.New(other.Store, other.Schools, other.Queue, nil, e.emails, e.clock, clock.NewRandom())
	e.give(t, manager)
	return e
}

// give makes the person with an email address an owner, who may be one already.
func (e *roleEnd) give(t *testing.T, email string) {
	t.Helper()
	people, err := e.instance.People.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
	is.New(t).NoErr(err)
	for _, p := range people.Items {
		if p.Email == email {
			_, err := e.instance.Partnerships.Create(t.Context(), app.SystemActor(demo.SchoolID), p.ID, person.Owner)
			is.New(t).True(err == nil || fault.IsRefusal(err))
		}
	}
}

// trail returns the number of audit events. Every change of a record adds one.
func (e *roleEnd) trail(t *testing.T) int {
	t.Helper()
	found, err := e.instance.Audit.List(t.Context(), app.SystemActor(demo.SchoolID), query.Query{Page: query.AllRows()})
	is.New(t).NoErr(err)
	return len(found.Items)
}

// forms are requests of an owner that create a credential or a right, or change something else.
var forms = []struct {
	name, path string
	fields     []string
}{
	{"an API key", "/keys", []string{"name", "Mine", "scope", "admin"}},
	{"an API key in place of another", "{rotate}", nil},
	{"a role", "/people/{learner}/roles", []string{"role", "owner"}},
	{"a sign-in link", "/people/{learner}/link", nil},
	{"a person", "/people", []string{"email", "mallory@example.test", "first_name", "Mallory", "last_name", "M"}},
	{"an address", "/people/{learner}/edit", []string{"email", "mallory@example.test"}},
	{"people", "{import}", nil},
	{"an entry secret", "/settings", []string{"name", "River", "slug", demo.Slug, "authentication", "preregistration", "entry_secret", strings.Repeat("secret", 8)}},
	{"an identity provider", "/settings", []string{"name", "River", "slug", demo.Slug, "authentication", "preregistration", "sso_issuer", "https://id.example.test", "sso_client_id", "mine", "sso_client_secret", "secret of mine"}},
	{"a webhook", "/webhooks", []string{"url", "https://hooks.example.test/a", "type", "*"}},
	{"a secret of a webhook", "{webhook}/rotate", nil},
	{"a course", "/courses", []string{"name", "Mine", "permalink", "mine"}},
	{"a failed job", "{job}/retry", nil},
}

// refuse sends each form as the owner, and calls end, which adds audit events, before the call
// at. It checks that the page is refused and that nothing is changed.
func (e *roleEnd) refuse(t *testing.T, end func(*testing.T), events int, refused func(page) bool) {
	boss := e.as(t, owner)
	is.New(t).Equal(boss.post("/webhooks", "url", "https://hooks.example.test/b", "type", "*").status, http.StatusOK)
	webhooks := hrefs(boss.get("/webhooks").body, "/webhooks/")
	rotate := hrefs(strings.ReplaceAll(boss.get("/keys").body, "action=", "href="), "/rotate")
	failed := e.failedInvitation(t)
	path := strings.NewReplacer(
		"{job}", "/jobs/"+failed.ID.String(),
		"{webhook}", strings.TrimPrefix(e.origin+webhooks[len(webhooks)-1], e.base),
		"{rotate}", strings.TrimPrefix(e.origin+rotate[0], e.base))
	for _, tt := range forms {
		t.Run(tt.name, func(t *testing.T) {
			is, b := is.New(t), e.as(t, owner)
			to := path.Replace(e.records(t).Replace(tt.path))
			before, ended := e.trail(t), false
			defer e.give(t, owner)
			e.begun, e.end = false, func() {
				end(t)
				ended = true
			}
			var p page
			if tt.path == "{import}" {
				p = b.upload("email\nmallory@example.test\n")
			} else {
				p = b.post(to, tt.fields...)
			}
			is.True(ended)
			is.True(refused(p))
			is.Equal(e.trail(t), before+events)
			is.Equal(e.deadJob(t, invitation.Kind), failed)
		})
	}
}

// endRole ends the role of the person who sends the requests.
func (e *roleEnd) endRole(t *testing.T) {
	t.Helper()
	is.New(t).NoErr(e.instance.Partnerships.Delete(t.Context(), app.SystemActor(demo.SchoolID), e.ownerRole(t)))
}

func roleHasEnded(p page) bool {
	return p.status == http.StatusForbidden && p.has("Your role in this school has ended")
}

// endSessions ends the sessions of the person who sends the requests, in another browser.
func (e *roleEnd) endSessions(t *testing.T) {
	t.Helper()
	is, system := is.New(t), app.SystemActor(demo.SchoolID)
	of, err := e.instance.School.Get(t.Context(), system)
	is.NoErr(err)
	held, err := e.instance.Partnerships.Get(t.Context(), system, e.ownerRole(t))
	is.NoErr(err)
	p, err := e.instance.People.Get(t.Context(), system, held.Person)
	is.NoErr(err)
	other, err := kit.SignIn(t.Context(), e.instance, demo.SchoolID, p.ID)
	is.NoErr(err)
	is.NoErr(e.instance.SignIns.EndAll(t.Context(), auth.Visitor{
		School: of.State, Person: p, Session: other, Actor: usecase.BySession(demo.SchoolID, other),
	}))
}

// failedInvitation returns the job of an invitation email that the mail server has refused.
func (e *roleEnd) failedInvitation(t *testing.T) job.Job {
	t.Helper()
	is := is.New(t)
	e.emails.Fail(fault.Invalidf("email", "550 no such mailbox"))
	_, err := e.instance.People.Create(t.Context(), app.SystemActor(demo.SchoolID), person.Profile{Email: "eve@example.test"})
	is.NoErr(err)
	for more := true; more; {
		more, err = e.instance.InvitationDelivery.DeliverNext(t.Context())
		is.NoErr(err)
	}
	return e.deadJob(t, invitation.Kind)
}

// ownerRole returns the partnership of the person who sends the requests.
func (e *roleEnd) ownerRole(t *testing.T) person.PartnershipID {
	t.Helper()
	people, err := e.instance.People.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
	is.New(t).NoErr(err)
	for _, p := range people.Items {
		if p.Email == owner {
			return p.Partnerships[0]
		}
	}
	t.Fatal("there is no owner")
	return person.PartnershipID{}
}

// An owner whose role ends while their request waits to be executed keeps no right: the request
// gets 403 and changes nothing.
func TestRoleEndsBeforeTransaction(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		on := open(t)
		e := newRoleEnd(t, on, on, "InTx")
		e.refuse(t, e.endRole, 1, roleHasEnded)
	})
}

// An owner whose session ends while their request waits to be executed changes nothing, and must
// sign in again.
func TestSessionEndsBeforeTransaction(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		on := open(t)
		e := newRoleEnd(t, on, on, "InTx")
		e.refuse(t, e.endSessions, 3, func(p page) bool { return strings.HasPrefix(p.path, e.academy+"/sign-in") })
	})
}

// The role ends on another instance while the transaction of the request has all its locks. The end
// of the role does not wait for them.
func TestRoleEndsDuringTransaction(t *testing.T) {
	dsn := pgtest.Exclusive(t)
	e := newRoleEnd(t, stores.Postgres(t, dsn, 8), stores.Postgres(t, dsn, 8), "Tx.Partnerships.ExistsForShare")
	e.refuse(t, e.endRole, 1, roleHasEnded)
}

// An end of the role that begins after the check of the request waits for the commit of the
// request.
func TestRoleEndsAfterCheck(t *testing.T) {
	is, dsn := is.New(t), pgtest.Exclusive(t)
	e := newRoleEnd(t, stores.Postgres(t, dsn, 8), stores.Postgres(t, dsn, 8), "Commit")
	b, ended := e.as(t, owner), make(chan error, 1)
	held := e.ownerRole(t)
	e.end = func() {
		go func() { ended <- e.instance.Partnerships.Delete(t.Context(), app.SystemActor(demo.SchoolID), held) }()
		select {
		case err := <-ended:
			ended <- err
			t.Error("the end of the role did not wait")
		case <-t.Context().Done():
		case <-time.After(300 * time.Millisecond):
		}
	}
	is.Equal(b.post("/keys", "name", "Mine", "scope", "admin").status, http.StatusOK)
	is.NoErr(<-ended)
	is.Equal(b.get("/keys").status, http.StatusForbidden)
}

// courseForms are requests of an instructor that change a course, or the people in it. The first
// ones do not lock the course for update.
var courseForms = []struct {
	name, path string
	fields     []string
}{
	{"a learner", "/learners", []string{"email", "eve@example.test"}},
	{"a learner who leaves", "/learners/{learner}/unenroll", nil},
	{"a name", "/edit", []string{"name", "Mine", "permalink", "seeing-light"}},
}

// refuseOnCourse sends forms about a course as its instructor, who is removed from the course before
// the call at, and checks that the response is 404 and that nothing is changed.
func (e *roleEnd) refuseOnCourse(t *testing.T, n int) {
	is, system := is.New(t), app.SystemActor(demo.SchoolID)
	_, err := e.instance.People.Create(t.Context(), system, person.Profile{Email: "eve@example.test"})
	is.NoErr(err)
	c, err := e.instance.Courses.Get(t.Context(), system, strings.TrimPrefix(ownCourse, "/courses/"))
	is.NoErr(err)
	b := e.as(t, instructor)
	for _, tt := range courseForms[:n] {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			to := ownCourse + e.records(t).Replace(tt.path)
			before, ended := e.trail(t), false
			e.begun, e.end = false, func() {
				is.NoErr(e.instance.Courses.Instructors(app.RemoveRelated)(t.Context(), system, c.ID, c.Instructors))
				ended = true
			}
			status := b.post(to, tt.fields...).status
			is.True(ended)
			is.Equal(status, http.StatusNotFound)
			is.Equal(e.trail(t), before+1) // the removal
			is.NoErr(e.instance.Courses.Instructors(app.AddRelated)(t.Context(), system, c.ID, c.Instructors))
			is.Equal(b.post(to, tt.fields...).status, http.StatusOK)
		})
	}
}

// An instructor who is removed from a course while their form waits cannot change it.
func TestInstructorIsRemovedBeforeTransaction(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		on := open(t)
		newRoleEnd(t, on, on, "InTx").refuseOnCourse(t, len(courseForms))
	})
}

// The removal does not wait for a form that has locked people of the course.
func TestInstructorIsRemovedDuringTransaction(t *testing.T) {
	dsn := pgtest.Exclusive(t)
	newRoleEnd(t, stores.Postgres(t, dsn, 8), stores.Postgres(t, dsn, 8), "Tx.Courses.GetManyForShare").refuseOnCourse(t, 2)
}

// An instructor cannot enroll a person who becomes a manager while the form waits.
func TestPersonBecomesManagerBeforeEnrolling(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is, on, system := is.New(t), open(t), app.SystemActor(demo.SchoolID)
		e := newRoleEnd(t, on, on, "InTx")
		eve, err := e.instance.People.Create(t.Context(), system, person.Profile{Email: "eve@example.test"})
		is.NoErr(err)
		b := e.as(t, instructor)
		e.begun, e.end = false, func() {
			_, err := e.instance.Partnerships.Create(t.Context(), system, eve.ID, person.Manager)
			is.NoErr(err)
		}
		is.Equal(b.post(ownCourse+"/learners", "email", "eve@example.test").status, http.StatusUnprocessableEntity)
		is.True(e.end == nil)
		after, err := e.instance.People.Get(t.Context(), system, eve.ID)
		is.NoErr(err)
		is.Equal(after.CourseCount, int64(0))
	})
}

// An owner can end their own role.
func TestOwnerEndsOwnRole(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is, on := is.New(t), open(t)
		e := newRoleEnd(t, on, on, "")
		b, before := e.as(t, owner), e.trail(t)
		path := e.records(t).Replace("/people/{owner}/roles/" + e.ownerRole(t).String() + "/end")
		is.Equal(b.post(path).status, http.StatusForbidden) // of the page to which the response redirects
		is.True(e.trail(t) > before)
		is.True(b.get("").has("You do not belong to the staff of this school"))
	})
}
