package teaching

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/web"
	"lyceum/app/teaching"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// personForm is the data of the forms that add and change a person.
type personForm struct {
	Basis                      basis
	ID                         string // blank: a new person
	Email, FirstName, LastName string
	Properties                 []propertyField // nil: a new person

	// Of a new person:
	Courses []related // in which the person can be enrolled
	More    bool      // whether the school has more courses
	Groups  []related // which the person can join: that of the page from which the visitor comes
	Role    string
	Roles   []string // that the visitor can grant; nil: none
}

// addressForm is the data of a form that adds a person of the school by their email address.
type addressForm struct {
	Email   string // that was refused
	Unknown bool   // whether the school has no person with this address
	Invite  string // path of the form that invites this person; blank: the visitor cannot invite
}

// addressForm returns the data of a form that was refused with err. Its page is about the record id,
// which field names in the form that invites a person.
func (x *siteRequest) addressForm(form url.Values, err error, field string, id uuid.UUID) addressForm {
	f := addressForm{Email: form.Get("email"), Unknown: teaching.IsUnknownPerson(err)}
	if f.Unknown && x.staff.Manages() {
		f.Invite = "/people/invite?" + url.Values{"email": {f.Email}, field: {id.String()}}.Encode()
	}
	return f
}

func (x *siteRequest) renderPersonForm(f personForm, problems ...string) error {
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return x.render(status, "person-form", f, problems...)
}

func inviteForm(x *siteRequest) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	params := x.r.URL.Query()
	f := personForm{Email: params.Get("email")}
	if _, err := x.addChoices(&f, params); err != nil {
		return err
	}
	return x.renderPersonForm(f)
}

// placement is what a new person is added to.
type placement struct {
	courses []course.ID
	groups  []group.ID
	role    person.Role // zero: none
}

// addChoices adds the courses, groups and roles among which the form that invites a person lets the
// visitor choose, and returns the chosen ones.
func (x *siteRequest) addChoices(f *personForm, chosen url.Values) (to placement, err error) {
	ctx, app := x.r.Context(), x.site.app
	if len(chosen["course"])+len(chosen["group"]) > 2*maxOptions {
		return to, web.ErrMalformed
	}
	q, err := query.Build(course.Schema, query.Request{Page: query.NewPage(1, maxOptions)})
	if err != nil {
		return to, err
	}
	q.WithoutProperties = true
	offered, err := app.Courses(ctx, x.staff, q)
	if err != nil {
		return to, err
	}
	f.More = offered.More
	for _, c := range offered.Items {
		f.Courses = append(f.Courses, related{c.ID.String(), c.Name, false})
	}
	for _, ref := range chosen["course"] {
		c, err := app.Course(ctx, x.staff, ref)
		if err != nil {
			return to, err
		}
		to.courses = append(to.courses, c.ID)
		i := slices.IndexFunc(f.Courses, func(r related) bool { return r.ID == c.ID.String() })
		if i < 0 {
			i, f.Courses = len(f.Courses), append(f.Courses, related{c.ID.String(), c.Name, true})
		}
		f.Courses[i].Chosen = true
	}
	for _, ref := range chosen["group"] {
		id, _ := parseID(ref)
		g, _, err := app.Group(ctx, x.staff, group.ID{UUID: id})
		if err != nil {
			return to, err
		}
		to.groups = append(to.groups, g.ID)
		f.Groups = append(f.Groups, related{g.ID.String(), g.Name, true})
	}
	if f.Role = chosen.Get("role"); f.Role != "" {
		if to.role, err = person.ParseRole(f.Role); err == nil {
			err = x.staff.CheckOwns()
		}
	}
	if x.staff.IsOwner() {
		f.Roles = []string{"instructor", "manager"}
		if !x.MailIsLogged() { // no sign-in link can be created for an owner
			f.Roles = append(f.Roles, "owner")
		}
	}
	return to, err
}

// place adds a new person to the courses and groups, and grants the role.
func (x *siteRequest) place(p person.ID, to placement) error {
	ctx, app := x.r.Context(), x.site.app
	for _, id := range to.courses {
		if err := app.Enroll(ctx, x.staff, id, p); err != nil {
			return err
		}
	}
	for _, id := range to.groups {
		if err := app.AddMember(ctx, x.staff, id, p); err != nil {
			return err
		}
	}
	if to.role == (person.Role{}) {
		return nil
	}
	return app.GiveRole(ctx, x.staff, p, to.role)
}

func personFormOf(form url.Values) personForm {
	return personForm{Email: form.Get("email"), FirstName: form.Get("first_name"), LastName: form.Get("last_name")}
}

func invite(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	f := personFormOf(form)
	to, err := x.addChoices(&f, form)
	var made person.Summary
	if err == nil {
		made, err = x.site.app.Invite(x.r.Context(), x.staff, person.Profile{Email: f.Email, FirstName: f.FirstName, LastName: f.LastName})
	}
	if err != nil {
		return x.settle(err, "", func(problems ...string) error { return x.renderPersonForm(f, problems...) })
	}
	return x.afterPersonChange(x.place(made.ID, to), made)
}

func editPersonForm(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	f, err := x.storedPersonForm(p.State)
	if err != nil {
		return err
	}
	return x.renderPersonForm(f)
}

func personVersion(p person.State) string {
	return versionOf(p.Email, p.FirstName, p.LastName, propertyValues(p.Properties))
}

// storedPersonForm returns the form that changes a person, with the stored values.
func (x *siteRequest) storedPersonForm(p person.State) (f personForm, err error) {
	f = personForm{ID: p.ID.String(), Email: p.Email, FirstName: p.FirstName, LastName: p.LastName, Basis: basis{Version: personVersion(p)}}
	f.Properties, err = x.propertyFields(property.People, p.Properties)
	return f, err
}

// shown returns the values of the form.
func (f personForm) shown(x *siteRequest) []shownValue {
	return withProperties([]shownValue{{x.t("Email address"), f.Email}, {x.t("First name"), f.FirstName}, {x.t("Last name"), f.LastName}}, f.Properties)
}

func editPerson(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	f := personFormOf(form)
	f.ID, f.Basis.Version = p.ID.String(), form.Get(versionField)
	changes := person.Changes{Email: &f.Email, FirstName: &f.FirstName, LastName: &f.LastName, Check: unchanged(form, personVersion)}
	if f.Properties, changes.Properties, err = x.sentProperties(property.People, form); err != nil {
		return err
	}
	_, err = x.site.app.UpdatePerson(x.r.Context(), x.staff, p.ID, changes)
	return x.settle(err, "/people/"+f.ID, func(problems ...string) error {
		if isStale(err) {
			if p, err = x.person(); err != nil {
				return err
			}
			stored, err := x.storedPersonForm(p.State)
			if err != nil {
				return err
			}
			f.Basis = staleBasis(stored.Basis.Version, "/people/"+f.ID+"/edit", stored.shown(x), f.shown(x))
		}
		return x.renderPersonForm(f, problems...)
	})
}

func removePersonForm(x *siteRequest) error {
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

func (x *siteRequest) personRemoval(p person.Summary) confirmation {
	return confirmation{
		Title: x.tf("Remove %s?", displayName(p)), Text: x.t("All data of the person is deleted, including progress, answers and submissions."),
		Action: "/people/" + p.ID.String() + "/remove", Button: x.t("Remove"), Back: "/people/" + p.ID.String(),
	}
}

func removePerson(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	err = x.site.app.RemovePerson(x.r.Context(), x.staff, p.ID)
	return x.settle(err, "/people", func(problems ...string) error { return x.confirm(x.personRemoval(p), problems...) })
}

// Name returns the name in the form, or else the address.
func (f personForm) Name() string {
	return cmp.Or(strings.TrimSpace(f.FirstName+" "+f.LastName), strings.TrimSpace(f.Email))
}
