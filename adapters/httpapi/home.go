package httpapi

import (
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/homepage"
	"lyceum/adapters/httpapi/respond"
)

// homeDocument is what a program gets at the root.
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

// home responds at the root, without a key: with a page to browsers, otherwise with links.
func (s *server) home(c *gin.Context) error {
	c.Header("Vary", "Accept")
	base := s.links.Base
	if strings.Contains(strings.Join(c.Request.Header.Values("Accept"), ","), "text/html") {
		body, err := homepage.Page{Base: base, Reference: !s.cfg.NoReference, DemoKey: s.cfg.DemoKey}.Render()
		if err != nil {
			return err
		}
		c.Header("Content-Security-Policy", homepage.Policy)
		s.WriteBody(c, respond.ETag(mediaHTML, body), respond.Revalidate, mediaHTML, body)
		return nil
	}
	links := homeLinks{Self: base + "/", DescribedBy: base + openAPIPath, Health: base + readyzPath}
	if !s.cfg.NoReference {
		links.Reference = base + referencePath
	}
	return s.WriteOK(c, homeDocument{Name: "Lyceum", Links: links})
}

// icon responds with the icon of the server.
func (s *server) icon(c *gin.Context) error {
	const svg = "image/svg+xml"
	s.WriteBody(c, respond.ETag(svg, homepage.Icon), respond.Revalidate, svg, homepage.Icon)
	return nil
}
