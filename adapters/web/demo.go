package web

import (
	"slices"

	"lyceum/domain/school"
)

// DemoPerson is a person of the demo school who can sign in with a click.
type DemoPerson struct {
	School      school.ID
	Role, Email string
}

// demoPeople returns the people of the school who can sign in with a click.
func (x *siteRequest) demoPeople() []DemoPerson {
	var people []DemoPerson
	for _, p := range x.site.cfg.Demo {
		if p.School == x.school.ID {
			people = append(people, p)
		}
	}
	return people
}

// demoSignIn signs a person of the demo school in, and leads back like a sign-in link.
func demoSignIn(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	people := x.demoPeople()
	i := slices.IndexFunc(people, func(p DemoPerson) bool { return p.Role == form.Get("role") })
	if i < 0 {
		return errNotFound
	}
	token, err := x.site.app.SignIns.CreateLink(x.r.Context(), x.school.ID, people[i].Email)
	if err != nil {
		return err
	}
	in, err := x.site.app.SignIns.UseLink(x.r.Context(), x.school, token, x.r.UserAgent())
	if err != nil {
		return err
	}
	x.setSession(in.Token)
	return x.leadBack(form.Get("return"))
}
