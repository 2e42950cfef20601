package teaching

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"lyceum/app/jobs"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// settingsData is the data of the settings of the school.
type settingsData struct {
	School     school.Summary
	Basis      basis
	Methods    []school.AuthMethod
	Properties []property.State
}

func settings(x *siteRequest) error {
	s, err := x.site.app.School(x.r.Context(), x.staff)
	if err != nil {
		return err
	}
	return x.renderSettings(http.StatusOK, s, basis{Version: settingsVersion(s.State)})
}

// settingsVersion returns the version of the settings that the page shows.
func settingsVersion(s school.State) string {
	e := s.Entry
	return versionOf(s.Name, s.Slug, s.Auth.String(), e.PublicCovers, e.AdmitsNewPeople, e.Provider.Issuer, e.Provider.ClientID)
}

// settingsValues returns the values of the form.
func (x *siteRequest) settingsValues(s school.State) []shownValue {
	yesOrNo := func(yes bool) string {
		if yes {
			return x.t("yes")
		}
		return x.t("no")
	}
	return []shownValue{
		{x.t("Name of the school"), s.Name},
		{x.t("Part of the addresses"), s.Slug},
		{x.t("Who can sign in"), x.Method(s.Auth)},
		{x.t("Everyone can see the covers of courses"), yesOrNo(s.Entry.PublicCovers)},
		{x.t("The sign-in service adds new people"), yesOrNo(s.Entry.AdmitsNewPeople)},
		{x.t("Address of the service (https)"), s.Entry.Provider.Issuer},
		{x.t("Client ID"), s.Entry.Provider.ClientID},
	}
}

// Method describes who can sign in with a method.
func (x *siteRequest) Method(m school.AuthMethod) string {
	switch m.String() {
	case "preregistration":
		return x.t("people whom the school has added, by email")
	case "open":
		return x.t("everyone, by email")
	case "url":
		return x.t("people whom our own website sends")
	}
	return x.t("people of our sign-in service")
}

func (x *siteRequest) renderSettings(status int, s school.Summary, b basis, problems ...string) error {
	defined, err := x.site.app.Properties(x.r.Context(), x.staff, query.Query{Page: query.AllRows()})
	if err != nil {
		return err
	}
	return x.render(status, "settings", settingsData{s, b, school.AuthMethods(), defined.Items}, problems...)
}

func saveSettings(x *siteRequest) error {
	s, err := x.site.app.School(x.r.Context(), x.staff)
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	s.Name, s.Slug = form.Get("name"), form.Get("slug")
	s.Entry.PublicCovers, s.Entry.AdmitsNewPeople = form.Get("public_covers") != "", form.Get("admits_new_people") != ""
	e := school.Changes{
		Name: &s.Name, Slug: &s.Slug, Auth: &s.Auth, PublicCovers: &s.Entry.PublicCovers, AdmitsNewPeople: &s.Entry.AdmitsNewPeople,
		RefuseLockout: true, Check: unchanged(form, settingsVersion),
	}
	if form.Has("sso_issuer") {
		s.Entry.Provider.Issuer, s.Entry.Provider.ClientID = form.Get("sso_issuer"), form.Get("sso_client_id")
		e.Provider.Issuer, e.Provider.ClientID = &s.Entry.Provider.Issuer, &s.Entry.Provider.ClientID
	}
	if secret := form.Get("sso_client_secret"); secret != "" { // blank: keep the secret
		e.Provider.ClientSecret = &secret
	}
	if secret := form.Get("entry_secret"); secret != "" {
		e.EntrySecret = &secret
	}
	if s.Auth, err = school.ParseAuthMethod(form.Get("authentication")); err == nil {
		_, err = x.site.app.UpdateSchool(x.r.Context(), x.staff, e)
	}
	if err == nil && s.Slug != x.School.Slug { // the address of this page has changed
		x.School.Slug = s.Slug
	}
	return x.settle(err, "/settings", func(problems ...string) error {
		b := basis{Version: form.Get(versionField)}
		if isStale(err) {
			stored, err := x.site.app.School(x.r.Context(), x.staff)
			if err != nil {
				return err
			}
			b = staleBasis(settingsVersion(stored.State), "/settings", x.settingsValues(stored.State), x.settingsValues(s.State))
		}
		return x.renderSettings(http.StatusUnprocessableEntity, s, b, problems...)
	})
}

// keysData is the data of the list of API keys.
type keysData struct {
	List   listPage[keyData]
	Scopes []school.Scope
	Name   string // of the key in the form
	Secret string // of the key that was just created; blank: none
}

type keyData struct {
	school.Key
	Active bool
}

func keys(x *siteRequest) error { return x.renderKeys(http.StatusOK, keysData{}) }

func (x *siteRequest) renderKeys(status int, d keysData, problems ...string) error {
	list, err := listPageOf(x, listing[school.Key]{
		name: "keys", schema: school.KeySchema, at: "/keys",
		list: func(ctx context.Context, q query.Query) (query.Result[school.Key], error) {
			return x.site.app.Keys(ctx, x.staff, q)
		},
		sorts: []sorting{{"-created_at", "Newest first"}, {"name", "Name"}},
	})
	if err != nil {
		return err
	}
	now := time.Now()
	d.List = listPage[keyData]{Search: list.Search, Sort: list.Sort, Sorts: list.Sorts, Filters: list.Filters, Path: list.Path, Prev: list.Prev, Next: list.Next}
	for _, k := range list.Rows {
		d.List.Rows = append(d.List.Rows, keyData{k, k.Active(now)})
	}
	d.Scopes = school.Scopes()
	return x.render(status, "keys", d, problems...)
}

// createKey adds an API key and shows its secret, which cannot be shown again.
func createKey(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	params := school.KeyParams{Name: form.Get("name")}
	var secret string
	if params.Scope, err = school.ParseScope(form.Get("scope")); err == nil {
		_, secret, err = x.site.app.CreateKey(x.r.Context(), x.staff, x.sentForm(), params)
	}
	return x.showSecret(err, keysData{Name: params.Name, Secret: secret})
}

// rotateKey replaces an API key and shows the secret of the new one.
func rotateKey(x *siteRequest) error {
	of, err := x.id("key")
	if err != nil {
		return err
	}
	if _, err := x.form(); err != nil {
		return err
	}
	_, secret, err := x.site.app.RotateKey(x.r.Context(), x.staff, x.sentForm(), school.KeyID{UUID: of}, school.DefaultOverlap)
	return x.showSecret(err, keysData{Secret: secret})
}

func (x *siteRequest) showSecret(err error, d keysData) error {
	if refused, ok := x.reasons(err); ok {
		return x.renderKeys(http.StatusUnprocessableEntity, d, refused...)
	}
	if err != nil {
		return err
	}
	d.Name = ""
	return x.renderKeys(http.StatusOK, d)
}

func (x *siteRequest) keyRevocation() (confirmation, school.KeyID, error) {
	of, err := x.id("key")
	if err != nil {
		return confirmation{}, school.KeyID{}, err
	}
	k, err := x.site.app.Key(x.r.Context(), x.staff, school.KeyID{UUID: of})
	return confirmation{
		Title:  x.tf("Revoke the API key %s?", k.Name),
		Text:   x.tf("Its secret begins with %s. Programs that use the key are refused within 5 seconds. This cannot be undone.", k.Prefix),
		Action: "/keys/" + of.String() + "/revoke", Button: x.t("Revoke"), Back: "/keys",
	}, k.ID, err
}

func revokeKeyForm(x *siteRequest) error {
	c, _, err := x.keyRevocation()
	if err != nil {
		return err
	}
	return x.confirm(c)
}

func revokeKey(x *siteRequest) error {
	c, id, err := x.keyRevocation()
	if err != nil {
		return err
	}
	err = x.site.app.RevokeKey(x.r.Context(), x.staff, id)
	return x.settle(err, "/keys", func(problems ...string) error { return x.confirm(c, problems...) })
}

// jobNames contains the names of the kinds of jobs, texts of the app.
var jobNames = map[job.Kind]string{
	invitation.Kind: "invitation email", bulk.JobKind: "part of an import",
	signin.Kind: "email with a sign-in link", signin.StrangerKind: "email with a sign-in link",
	jobs.FileCleanupKind: "removal of a file", jobs.CourseRemovalKind: "removal of a course",
}

// jobData is a failed job.
type jobData struct {
	job.Job
	Name string // text of the app
}

func failedJobs(x *siteRequest) error { return x.renderJobs(http.StatusOK) }

func (x *siteRequest) renderJobs(status int, problems ...string) error {
	failed, err := x.site.app.FailedJobs(x.r.Context(), x.staff)
	if err != nil {
		return err
	}
	rows := make([]jobData, len(failed))
	for i, j := range failed {
		rows[i] = jobData{j, cmp.Or(jobNames[j.Kind], string(j.Kind))}
	}
	return x.render(status, "jobs", rows, problems...)
}

func retryJob(x *siteRequest) error {
	of, err := x.id("job")
	if err != nil {
		return err
	}
	err = x.site.app.RetryJob(x.r.Context(), x.staff, job.ID{UUID: of})
	return x.settle(err, "/jobs", func(problems ...string) error { return x.renderJobs(http.StatusUnprocessableEntity, problems...) })
}
