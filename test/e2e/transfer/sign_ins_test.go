package transfer_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/auth"
	"lyceum/app/transfer"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/stores"
)

// mailbox is the address of a person of mailboxSchool. The address straße@example.test has the same
// unique key, but it is another mailbox.
const mailbox = "strasse@example.test"

func mailboxSchool() string {
	return renamed(partialFile(`{"kind":"person","email":"`+mailbox+`","activated_at":"2026-03-01T09:00:00Z"}`), unique("Mailbox"))
}

// holder is a client with a session and an unused sign-in link of the person at mailbox.
type holder struct {
	school        school.State
	session, link string
}

func newHolder(t *testing.T, h useCases, id school.ID) holder {
	t.Helper()
	is := is.New(t)
	found, err := h.Provision.School(t.Context(), id.String())
	is.NoErr(err)
	used, err := h.SignIns.CreateLink(t.Context(), id, mailbox)
	is.NoErr(err)
	in, err := h.SignIns.UseLink(t.Context(), found.State(), used, "")
	is.NoErr(err)
	link, err := h.SignIns.CreateLink(t.Context(), id, mailbox)
	is.NoErr(err)
	return holder{found.State(), in.Token, link}
}

// rights reports whether the session and the link are valid.
func (c holder) rights(t *testing.T, in *auth.SignIns) (session, link bool) {
	t.Helper()
	_, errSession := in.Visitor(t.Context(), c.school, c.session)
	_, errLink := in.Link(t.Context(), c.school, c.link)
	return errSession == nil, errLink == nil
}

// addresses returns the addresses of the people of a school.
func addresses(t *testing.T, h useCases, id school.ID) (all []string) {
	t.Helper()
	people, err := h.People.List(t.Context(), app.SystemActor(id), query.Query{Page: query.AllRows()})
	is.New(t).NoErr(err)
	for _, p := range people.Items {
		all = append(all, p.Email)
	}
	return all
}

// A line names a person by the address. It does not give the person another mailbox, because its
// holder could sign in as the person.
func TestImportKeepsMailbox(t *testing.T) {
	forms := map[string]func(h useCases, id school.ID, email string, dryRun bool) (transfer.ImportResult, error){
		"csv": func(h useCases, id school.ID, email string, dryRun bool) (transfer.ImportResult, error) {
			im := reading("email,last_name\n" + email + ",Street\n")
			im.DryRun = dryRun
			return h.Transfers.ImportPeople(context.Background(), app.SystemActor(id), im, false)
		},
		"json": func(h useCases, id school.ID, email string, dryRun bool) (transfer.ImportResult, error) {
			im := reading(partialFile(`{"kind":"person","email":"` + email + `","last_name":"Street"}`))
			im.DryRun = dryRun
			return h.Transfers.Import(context.Background(), app.SystemActor(id), im)
		},
	}
	prefixes := map[string]string{"csv": "line 2: ", "json": "line 2: person: "}
	tests := []struct {
		name, sent string
		want       string // address after the import; blank: the import is refused
	}{
		{"the same address", mailbox, mailbox},
		{"the same address in another case", "Strasse@EXAMPLE.test", "Strasse@EXAMPLE.test"},
		{"ß for ss", "straße@example.test", ""},
		{"a full-width letter", "\uff53trasse@example.test", ""},
	}
	onEachStore(t, func(t *testing.T, h useCases) {
		for form, run := range forms {
			for _, tt := range tests {
				t.Run(form+", "+tt.name, func(t *testing.T) {
					is := is.New(t)
					id := h.importSchool(t, mailboxSchool())
					c := newHolder(t, h, id)
					for _, dryRun := range []bool{true, false} {
						_, err := run(h, id, tt.sent, dryRun)
						is.Equal(err == nil, tt.want != "")
						if err != nil {
							is.Equal(err.Error(), prefixes[form]+`email: must be "`+mailbox+`", the address of the person; an import cannot change it to a similar one`)
						}
					}
					want := tt.want
					if want == "" {
						want = mailbox
					}
					is.Equal(addresses(t, h, id), []string{want})
					session, link := c.rights(t, h.SignIns)
					is.True(session && link)
				})
			}
		}
	})
}

// The address of a person changes after an import has read the school. The import does not change
// it back.
func TestImportDuringAddressChange(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		b := open(t)
		h := on(b)
		id := h.importSchool(t, mailboxSchool())
		changed := false
		b.Store = intercept.Store(b.Store, func(ctx context.Context, call string) error {
			if call != "Load" || changed {
				return nil
			}
			changed = true
			people, err := h.People.List(ctx, app.SystemActor(id), query.Query{Page: query.AllRows()})
			if err != nil {
				return err
			}
			email := "new@example.test"
			_, err = h.People.Update(ctx, app.SystemActor(id), people.Items[0].ID, person.Changes{Email: &email})
			return err
		})
		_, err := on(b).Transfers.Import(t.Context(), app.SystemActor(id),
			reading(partialFile(`{"kind":"person","email":"`+mailbox+`","last_name":"Street"}`)))
		is.NoErr(err)
		is.True(changed)
		is.Equal(len(addresses(t, h, id)), 2) // the line now describes a new person
		found, err := h.People.List(t.Context(), app.SystemActor(id), query.Query{Page: query.AllRows()})
		is.NoErr(err)
		for _, p := range found.Items {
			is.Equal(p.Email == mailbox, p.LastName == "Street")
		}
	})
}

// A role that an import grants ends the sessions and sign-in links of the person, like a role that
// a request grants.
func TestImportedRoleEndsSignIns(t *testing.T) {
	const role = `{"kind":"partnership","person":"` + mailbox + `","role":"owner"}`
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, mailboxSchool())
		c := newHolder(t, h, id)
		dryRun := reading(partialFile(role))
		dryRun.DryRun = true
		_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), dryRun)
		is.NoErr(err)
		session, link := c.rights(t, h.SignIns)
		is.True(session && link)

		_, err = h.Transfers.Import(t.Context(), app.SystemActor(id), reading(partialFile(role)))
		is.NoErr(err)
		_, err = h.SignIns.Visitor(t.Context(), c.school, c.session)
		is.True(fault.Is(err, fault.Unauthenticated))
		_, err = h.SignIns.Link(t.Context(), c.school, c.link)
		is.True(fault.Is(err, fault.NotFound))

		again := newHolder(t, h, id)
		_, err = h.Transfers.Import(t.Context(), app.SystemActor(id), reading(partialFile(role)))
		is.NoErr(err)
		session, link = again.rights(t, h.SignIns)
		is.True(session && link) // the person already has the role
	})
}
