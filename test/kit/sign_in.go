package kit

import (
	"context"

	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// SignIn signs the person p in with a link and returns the session.
func SignIn(ctx context.Context, a *app.App, in school.ID, p person.ID) (signin.Session, error) {
	system := app.SystemActor(in)
	of, err := a.School.Get(ctx, system)
	if err != nil {
		return signin.Session{}, err
	}
	who, err := a.People.Get(ctx, system, p)
	if err != nil {
		return signin.Session{}, err
	}
	link, err := a.SignIns.CreateLink(ctx, in, who.Email)
	if err != nil {
		return signin.Session{}, err
	}
	signedIn, err := a.SignIns.UseLink(ctx, of.State, link, "")
	if err != nil {
		return signin.Session{}, err
	}
	v, err := a.SignIns.Visitor(ctx, of.State, signedIn.Token)
	return v.Session, err
}
