package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/mail"
	"lyceum/adapters/web"
	"lyceum/adapters/web/teaching"
	"lyceum/app"
	"lyceum/domain/school"
)

// sharedLimits implements web.Attempts and web.Admission: the academy counts toward the limits of
// the API. handler sets the API after it has created both.
type sharedLimits struct{ *httpapi.API }

// classes contains the admission class of each kind of work.
var classes = map[web.Work]limits.Class{
	web.Search: limits.Expensive, web.Read: limits.Large, web.Change: limits.Long, web.Wait: limits.Provider,
}

// AdmitWork implements web.Admission.
func (l *sharedLimits) AdmitWork(ctx context.Context, of school.ID, work web.Work) error {
	return l.Admit(ctx, of, classes[work])
}

// academy returns the handlers of the academy and of the teaching app. A handler is nil if this
// server does not serve the pages. The app must be on the same host as the academy, because people
// sign in there.
func academy(
	cfg Config, a *app.App, links httpapi.Links, shared *sharedLimits, log *slog.Logger,
) (pages, teachingApp http.Handler) {
	if !cfg.Academy || !strings.Contains(links.Academy, httpapi.SchoolPlaceholder) {
		return nil, nil
	}
	c := web.Config{
		Base: links.Academy, Demo: cfg.Demo, Attempts: shared, Admission: shared, Media: cfg.Media, UploadLimit: cfg.Files.MaxSize,
		MailIsLogged: cfg.Mail.Mode == mail.Log, Log: log,
	}
	if strings.Contains(links.App, httpapi.SchoolPlaceholder) && origin(links.App) == origin(links.Academy) {
		c.App = links.App
	}
	site := web.New(a, c)
	if c.App == "" {
		return site, nil
	}
	return site, teaching.New(a, site, teaching.Config{Base: c.App, Log: log})
}

// origin returns the scheme and the host of a URL.
func origin(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// demoRoles returns the roles of the people who can enter the demo school with a click.
func demoRoles(cfg Config) []string {
	if !cfg.Academy {
		return nil
	}
	roles := make([]string, len(cfg.Demo))
	for i, p := range cfg.Demo {
		roles[i] = p.Role
	}
	return roles
}
