package app_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/operator"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
	"lyceum/test/kit"
)

// trail returns the events of the school since the event with the position after, oldest first.
func (w *world) trail(t *testing.T, after int64) []audit.Event {
	t.Helper()
	page, err := w.Audit.List(w.ctx, app.SystemActor(w.school), query.Query{
		Sort: []query.Order{{Attr: audit.Schema.Attr("uuid")}}, Page: query.AllRows(),
		Where: query.Cond{Attr: audit.Schema.Attr("uuid"), Op: query.Gt, Values: []query.Value{{Int: after}}},
	})
	is.New(t).NoErr(err)
	return page.Items
}

func (w *world) lastEvent(t *testing.T) int64 {
	t.Helper()
	all := w.trail(t, 0)
	return all[len(all)-1].Position
}

// TestAuditOfSignIns checks that a person is the actor of what they do from the sign-in on.
func TestAuditOfSignIns(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ada := w.people["ada@example.test"]
	s, err := w.Provision.School(w.ctx, w.school.String())
	is.NoErr(err)
	other, err := kit.SignIn(w.ctx, w.App, w.school, ada)
	is.NoErr(err)
	token, err := w.SignIns.CreateLink(app.AsOperator(w.ctx), w.school, "ada@example.test")
	is.NoErr(err)
	last := w.lastEvent(t)
	in, err := w.SignIns.UseLink(w.ctx, s.State(), token, "")
	is.NoErr(err)
	_, err = w.SignIns.UseLink(w.ctx, s.State(), token, "") // refused: no event
	is.True(err != nil)
	v, err := w.SignIns.Visitor(w.ctx, s.State(), in.Token)
	is.NoErr(err)
	is.NoErr(w.SignIns.End(w.ctx, v, other.ID))
	is.NoErr(w.SignIns.End(w.ctx, v, other.ID)) // the session does not exist: no event
	is.NoErr(w.SignIns.EndAll(w.ctx, v))
	is.True(fault.Is(w.SignIns.End(w.ctx, v, v.Session.ID), fault.Unauthenticated)) // the session has ended: no event
	got := w.trail(t, last)
	is.Equal(len(got), 3)
	for i, want := range []struct {
		action audit.Action
		record string
	}{{audit.SignedIn, v.Session.ID.String()}, {audit.SignedOut, other.ID.String()}, {audit.SignedOut, ada.String()}} {
		is.Equal(got[i].Action, want.action)
		is.Equal(got[i].Record.ID, want.record)
		is.Equal(got[i].Actor, audit.Actor{Type: audit.Session, ID: v.Session.ID.UUID, Person: ada})
	}
}

// TestAuditOfNewVisitor checks that a person who adds themselves is the actor of that too, so that
// the deletion of the person erases the address.
func TestAuditOfNewVisitor(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	s, err := w.Provision.UpdateSchool(w.ctx, w.school, school.Changes{Auth: &school.Open})
	is.NoErr(err)
	token := strings.Repeat("ab", text.TokenBytes)
	l, err := signin.NewLink(signin.LinkID{UUID: uuid.New()}, w.school, "new@example.test", "", w.clock.Now())
	is.NoErr(err)
	l.Send(token, w.clock.Now())
	is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error { return tx.SignIns.AddLink(ctx, l) }))
	last := w.lastEvent(t)
	_, err = w.SignIns.UseLink(w.ctx, s, token, "")
	is.NoErr(err)
	got := w.trail(t, last)
	is.True(len(got) >= 2)
	var made string
	for _, e := range got {
		is.Equal(e.Type, audit.Session)
		if e.Record.Type == person.Type && e.Action == audit.Created {
			made = e.Record.ID
		}
	}
	for _, e := range got {
		is.Equal(e.Person.String(), made)
	}
}

// TestAuditOfDeletedSchool checks that the deletion of a school begins with an event.
func TestAuditOfDeletedSchool(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ctx := app.AsOperator(w.ctx)
	last := w.lastEvent(t)
	_, err := w.Provision.SuspendSchool(ctx, w.school)
	is.NoErr(err)
	_, err = w.Provision.SuspendSchool(ctx, w.school) // changes nothing
	is.NoErr(err)
	w.clock.Advance(operator.SuspensionDelay)
	got := w.trail(t, last)
	suspensions := 0
	for _, e := range got {
		is.Equal(e.Type, audit.Operator)
		if e.Action == audit.Suspended {
			suspensions++
		}
	}
	is.Equal(suspensions, 1)
	is.NoErr(w.Provision.DeleteSchool(ctx, w.school))
	_, err = w.Audit.List(w.ctx, app.SystemActor(w.school), query.Query{Page: query.NewPage(1, 10)})
	is.True(err != nil) // the trail is deleted with the school
}

// TestAuditOfLinkAfterInvitation checks that the sign-in link of a person who has accepted an
// invitation is recorded with that person as the actor and without the address of the link, and that
// the deletion of the person erases the network address.
func TestAuditOfLinkAfterInvitation(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ada := w.people["ada@example.test"]
	p, err := w.People.Get(w.ctx, w.actor, ada)
	is.NoErr(err)
	last := w.lastEvent(t)
	ctx := ports.WithOrigin(w.ctx, audit.Origin{Request: "request-1", Address: "192.0.2.7"})
	_, err = w.SignIns.CreateLinkOfInvited(ctx, w.school, p)
	is.NoErr(err)
	made := func() audit.Event {
		for _, e := range w.trail(t, last) {
			if e.Record.Type == signin.LinkType {
				return e
			}
		}
		t.Fatal("the link is not recorded")
		return audit.Event{}
	}
	got := made()
	is.Equal(got.Action, audit.Created)
	is.Equal(got.Actor, audit.Actor{Type: audit.Invitation, Person: ada})
	is.Equal(got.Request, "request-1")
	is.Equal(got.Address, "192.0.2.7")
	_, err = uuid.Parse(got.Record.ID)
	is.NoErr(err) // an ID, not an email address
	is.NoErr(w.People.Delete(w.ctx, w.actor, ada))
	is.Equal(made().Address, "")
	is.Equal(made().Person, ada)
}
