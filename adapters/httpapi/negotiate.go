package httpapi

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// The media types of bodies that are sent.
const (
	mediaJSON    = "application/json; charset=utf-8"
	mediaJSONAPI = "application/vnd.api+json" // JSON:API forbids a charset here
)

// negotiate chooses the media type of the answer: JSON:API's own for who names
// it and likes JSON no better, JSON for everybody else. Who accepts neither is
// refused later, by checkAccept, and is told so in JSON like of any other error.
func negotiate(c *gin.Context) {
	x := respond.StateOf(c)
	json, jsonAPI := preferences(c.Request.Header.Values("Accept"))
	switch {
	case jsonAPI.named && jsonAPI.q > 0 && jsonAPI.q >= json.q:
		x.MediaType, x.Accepted = mediaJSONAPI, true
	case json.q > 0:
		x.MediaType, x.Accepted = mediaJSON, true
	case jsonAPI.q > 0:
		x.MediaType, x.Accepted = mediaJSONAPI, true
	}
}

// checkAccept refuses a client that accepts no type that there is. It comes
// after authenticate, which no other refusal of a request's content precedes.
// Pages and files are what they are, and an export asks for itself.
func checkAccept(c *gin.Context) error {
	if respond.StateOf(c).Accepted || pages.hold(c.Request.URL.Path) ||
		c.FullPath() == downloadPath || c.FullPath() == exportPath || c.FullPath() == welcomePath {
		return nil
	}
	return respond.Refusef(http.StatusNotAcceptable,
		"This service answers with application/json or application/vnd.api+json")
}

// preference is how much a client likes a media type.
type preference struct {
	q           float64
	specificity int
	named       bool // by its full name, not by a wildcard
}

// take notes what a media range says: the most specific one counts, of several
// the kindest.
func (p *preference) take(q float64, specificity int) {
	if specificity > p.specificity || specificity == p.specificity && q > p.q {
		p.q, p.specificity = q, specificity
		p.named = specificity == exact
	}
}

// How specific a media range can be.
const (
	anything = iota + 1
	anyApplication
	exact
)

// preferences reads Accept headers. If they have no range that is understood,
// anything is fine.
func preferences(headers []string) (json, jsonAPI preference) {
	understood := false
	for name, params := range mediaRanges(headers) {
		understood = true
		q := quality(params["q"])
		switch name {
		case "*/*":
			json.take(q, anything)
			jsonAPI.take(q, anything)
		case "application/*":
			json.take(q, anyApplication)
			jsonAPI.take(q, anyApplication)
		case "application/json":
			json.take(q, exact)
		case mediaJSONAPI:
			if _, extended := params["ext"]; !extended { // no extension is supported
				jsonAPI.take(q, exact)
			}
		}
	}
	if !understood {
		json.take(1, anything)
	}
	return json, jsonAPI
}

// quality reads a q parameter; one that is absent or no number from 0 to 1 counts as 1.
func quality(s string) float64 {
	q, err := strconv.ParseFloat(s, 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 1
	}
	return q
}
