package httpapi

import (
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/homepage"
	"lyceum/adapters/httpapi/respond"
)

// homeDocument is the response at the root to clients other than browsers.
type homeDocument struct {
	Name  string    `json:"name"`
	Links homeLinks `json:"links"`
}

type homeLinks struct {
	Self        string `json:"self"`
	DescribedBy string `json:"describedby"`
	Reference   string `json:"reference,omitempty"`
	Health      string `json:"health"`
}

// home responds to a request for the root: to browsers with a page, to other clients with links.
// The request needs no key.
func (s *server) home(c *gin.Context) error {
	c.Header("Vary", "Accept")
	base := s.links.Base
	if acceptsHTML(c) {
		body, err := homepage.Page{
			Base: base, Reference: !s.cfg.NoReference, DemoKey: s.cfg.DemoKey, DemoRoles: s.cfg.DemoRoles, DemoEntry: s.cfg.DemoEntry,
			Academy: s.academyStart(),
		}.Render()
		if err != nil {
			return err
		}
		c.Header("Content-Security-Policy", homepage.Policy)
		c.Header("Referrer-Policy", "same-origin") // so that browsers send their origin with the form
		s.WriteBody(c, respond.ETag(mediaHTML, body), respond.Revalidate, mediaHTML, body)
		return nil
	}
	links := homeLinks{Self: base + "/", DescribedBy: base + openAPIPath, Health: base + readyzPath}
	if !s.cfg.NoReference {
		links.Reference = base + referencePath
	}
	return s.WriteOK(c, homeDocument{Name: "Lyceum", Links: links})
}

// acceptsHTML reports whether the client's Accept header names HTML. The Accept headers of browsers
// do.
func acceptsHTML(c *gin.Context) bool {
	return strings.Contains(strings.Join(c.Request.Header.Values("Accept"), ","), "text/html")
}

// icon responds with the favicon.
func (s *server) icon(c *gin.Context) error {
	const svg = "image/svg+xml"
	s.WriteBody(c, respond.ETag(svg, homepage.Icon), respond.Revalidate, svg, homepage.Icon)
	return nil
}

// academyStart returns the URL of the page on which visitors choose their school; blank without an
// academy.
func (s *server) academyStart() string {
	if s.cfg.Academy == nil {
		return ""
	}
	return s.links.Base + academySite.path
}
