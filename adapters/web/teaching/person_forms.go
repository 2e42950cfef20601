package teaching

import (
	"cmp"
	"net/http"
	"net/url"

	"lyceum/app/teaching"
	"lyceum/domain/person"
	"lyceum/domain/property"
)

// personForm is the data of the forms that add and change a person.
type personForm struct {
	ID                         string // blank: a new person
	Email, FirstName, LastName string
	Properties                 []propertyField // nil: a new person
}

func (x *exchange) renderPersonForm(f personForm, problems ...string) error {
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return x.render(status, "person-form", f, problems...)
}

func inviteForm(x *exchange) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	return x.renderPersonForm(personForm{})
}

func personFormOf(form url.Values) personForm {
	return personForm{Email: form.Get("email"), FirstName: form.Get("first_name"), LastName: form.Get("last_name")}
}

func invite(x *exchange) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	f := personFormOf(form)
	made, err := x.site.app.Invite(x.r.Context(), x.staff, person.Profile{Email: f.Email, FirstName: f.FirstName, LastName: f.LastName})
	return x.settle(err, "/people/"+made.ID.String(), func(problems ...string) error { return x.renderPersonForm(f, problems...) })
}

func editPersonForm(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	fields, err := x.propertyFields(property.People, p.Properties)
	if err != nil {
		return err
	}
	return x.renderPersonForm(personForm{p.ID.String(), p.Email, p.FirstName, p.LastName, fields})
}

func editPerson(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	f := personFormOf(form)
	f.ID = p.ID.String()
	changes := person.Changes{Email: &f.Email, FirstName: &f.FirstName, LastName: &f.LastName}
	if f.Properties, changes.Properties, err = x.sentProperties(property.People, form); err != nil {
		return err
	}
	_, err = x.site.app.UpdatePerson(x.r.Context(), x.staff, p.ID, changes)
	return x.settle(err, "/people/"+f.ID, func(problems ...string) error { return x.renderPersonForm(f, problems...) })
}

func removePersonForm(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	return x.confirm(x.personRemoval(p))
}

// displayName returns the name of a person, or the address if the name is blank.
func displayName(p person.Summary) string { return cmp.Or(p.FullName(), p.Email) }

func (x *exchange) personRemoval(p person.Summary) confirmation {
	return confirmation{
		Title: x.tf("Remove %s?", displayName(p)), Text: x.t("All data of the person is deleted, including progress, answers and submissions."),
		Action: "/people/" + p.ID.String() + "/remove", Button: x.t("Remove"), Back: "/people/" + p.ID.String(),
	}
}

func removePerson(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	err = x.site.app.RemovePerson(x.r.Context(), x.staff, p.ID)
	return x.settle(err, "/people", func(problems ...string) error { return x.confirm(x.personRemoval(p), problems...) })
}

func resendInvitation(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	return x.afterPersonChange(x.site.app.Resend(x.r.Context(), x.staff, p.ID), p)
}

// createSignInLink shows a link with which a person can sign in once.
func createSignInLink(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	token, err := x.site.app.SignInLink(x.r.Context(), x.staff, p.ID)
	if refused, ok := x.reasons(err); ok && !teaching.IsNotPermitted(err) {
		return x.renderPerson(http.StatusUnprocessableEntity, p, refused...)
	}
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "sign-in-link", signInLink{p, x.Address("/sign-in/" + token)})
}

// signInLink is the data of the page with a sign-in link.
type signInLink struct {
	Person  person.Summary
	Address string
}

func giveRole(x *exchange) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	role, err := person.ParseRole(form.Get("role"))
	if err == nil {
		err = x.site.app.GiveRole(x.r.Context(), x.staff, p.ID, role)
	}
	return x.afterPersonChange(err, p)
}

// heldRole returns the person and the role in the path, and the data of the page on which an owner
// confirms that the role is withdrawn.
func (x *exchange) heldRole() (person.Summary, teaching.HeldRole, confirmation, error) {
	p, err := x.person()
	if err != nil {
		return p, teaching.HeldRole{}, confirmation{}, err
	}
	of, err := x.id("role")
	if err != nil {
		return p, teaching.HeldRole{}, confirmation{}, err
	}
	held, err := x.site.app.HeldRole(x.r.Context(), x.staff, p.ID, person.PartnershipID{UUID: of})
	c := confirmation{
		Title:  x.tf("Withdraw the role %[2]s from %[1]s?", displayName(p), x.t(held.Role.String())),
		Text:   x.t("The person then no longer belongs to the staff and cannot enter these pages."),
		Action: "/people/" + p.ID.String() + "/roles/" + of.String() + "/end", Button: x.t("Withdraw"), Back: "/people/" + p.ID.String(),
	}
	if held.HasOthers {
		c.Text = x.t("The person keeps their other roles.")
	}
	if len(held.Courses) > 0 {
		c.Loss, c.Lost = x.t("The person is also removed as an instructor of these courses, and does not return if the role is granted again:"), held.Courses
	}
	if held.More {
		c.Lost = append(c.Lost, "…")
	}
	return p, held, c, err
}

func endRoleForm(x *exchange) error {
	_, _, c, err := x.heldRole()
	if err != nil {
		return err
	}
	return x.confirm(c)
}

func endRole(x *exchange) error {
	p, held, c, err := x.heldRole()
	if err != nil {
		return err
	}
	err = x.site.app.EndRole(x.r.Context(), x.staff, held.ID)
	return x.settle(err, "/people/"+p.ID.String(), func(problems ...string) error { return x.confirm(c, problems...) })
}

// afterPersonChange redirects to the page of a person, or shows it with the reasons why a change
// was refused.
func (x *exchange) afterPersonChange(err error, p person.Summary) error {
	return x.settle(err, "/people/"+p.ID.String(), func(problems ...string) error {
		return x.renderPerson(http.StatusUnprocessableEntity, p, problems...)
	})
}
