package teaching

import (
	"net/http"

	"lyceum/app/teaching"
	"lyceum/domain/person"
)

func resendInvitation(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	return x.afterPersonChange(x.site.app.Resend(x.r.Context(), x.staff, p.ID), p)
}

// createSignInLink shows a link with which a person can sign in once.
func createSignInLink(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	token, err := x.site.app.SignInLink(x.r.Context(), x.staff, p.ID)
	if refused, ok := x.reasons(err); ok {
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

func giveRole(x *siteRequest) error {
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
func (x *siteRequest) heldRole() (person.Summary, teaching.HeldRole, confirmation, error) {
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

func endRoleForm(x *siteRequest) error {
	_, _, c, err := x.heldRole()
	if err != nil {
		return err
	}
	return x.confirm(c)
}

func endRole(x *siteRequest) error {
	p, held, c, err := x.heldRole()
	if err != nil {
		return err
	}
	err = x.site.app.EndRole(x.r.Context(), x.staff, held.ID)
	return x.settle(err, "/people/"+p.ID.String(), func(problems ...string) error { return x.confirm(c, problems...) })
}

// afterPersonChange redirects to the page of a person, or shows it with the reasons why a change
// was refused.
func (x *siteRequest) afterPersonChange(err error, p person.Summary) error {
	return x.settle(err, "/people/"+p.ID.String(), func(problems ...string) error {
		return x.renderPerson(http.StatusUnprocessableEntity, p, problems...)
	})
}
