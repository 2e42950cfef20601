package server

import (
	"log/slog"
	"net/http"
	"strings"

	"lyceum/adapters/httpapi"
	"lyceum/adapters/web"
	"lyceum/app"
)

// sharedLimits implements web.Attempts and web.Files: the academy counts toward the limits of the
// API. handler sets the API after it has created both.
type sharedLimits struct{ *httpapi.API }

// academy returns the handler of the academy, or nil if this server does not serve it.
func academy(cfg Config, a *app.App, links httpapi.Links, limits *sharedLimits, log *slog.Logger) http.Handler {
	if !cfg.Academy || !strings.Contains(links.Academy, httpapi.SchoolPlaceholder) {
		return nil
	}
	return web.New(a, web.Config{Base: links.Academy, Demo: cfg.Demo, Attempts: limits, Files: limits, Media: cfg.Media, UploadLimit: cfg.Files.MaxSize, Log: log})
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
