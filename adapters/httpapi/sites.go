package httpapi

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/homepage"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// site is a website to which documents link.
type site struct {
	path    string // path of its links below Links.Base, if its address is not configured
	name    string
	setting string // name of the setting for its address
	toggle  string // name of the setting that turns on the pages of this server; blank: none
}

var (
	appSite     = site{path: "/app", name: "web application", setting: "app-url"}
	academySite = site{path: "/learn", name: "site for learners", setting: "academy-url", toggle: "academy"}
)

// missingSites returns the sites whose address is not configured, so that their links lead to this
// server.
func (l Links) missingSites() []site {
	var missing []site
	if l.App == l.Base+appSite.path+"/"+SchoolPlaceholder {
		missing = append(missing, appSite)
	}
	if l.Academy == l.Base+academySite.path+"/"+SchoolPlaceholder {
		missing = append(missing, academySite)
	}
	return missing
}

// noRoute responds to a request for a path without a route. It serves the pages of the academy and
// of the teaching app. If the path belongs to a site that is not configured, the response explains
// that, and browsers get a page. All other paths are NotFound.
func (s *server) noRoute(c *gin.Context) error {
	for _, served := range []struct {
		site site
		http.Handler
	}{{academySite, s.cfg.Academy}, {appSite, s.cfg.Teaching}} {
		if served.Handler != nil && isBelow(c.Request.URL.Path, served.site.path) {
			return s.servePage(c, served.Handler)
		}
	}
	for _, missing := range s.links.missingSites() {
		if isBelow(c.Request.URL.Path, missing.path) {
			return s.renderMissingSite(c, missing)
		}
	}
	return fault.RecordNotFound()
}

// isBelow reports whether a path is base or below base.
func isBelow(path, base string) bool { return path == base || strings.HasPrefix(path, base+"/") }

func (s *server) renderMissingSite(c *gin.Context, missing site) error {
	c.Header("Vary", "Accept")
	if !acceptsHTML(c) {
		return respond.HTTPErrorf(http.StatusNotFound, "This server has no %s; set %s to the address of one", missing.name, missing.setting)
	}
	body, err := homepage.MissingSite{Base: s.links.Base, Name: missing.name, Setting: missing.setting, Switch: missing.toggle}.Render()
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", homepage.Policy)
	c.Header("Cache-Control", respond.NoCache)
	s.Send(c, http.StatusNotFound, mediaHTML, body)
	return nil
}
