package middleware

import (
	"iter"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// negotiate selects the response media type: application/vnd.api+json if Accept names it with a
// quality not below JSON's, otherwise application/json. If neither is acceptable, checkAccept later
// responds with 406, as JSON.
func negotiate(c *gin.Context) {
	x := respond.StateOf(c)
	json, jsonAPI := preferences(c.Request.Header.Values("Accept"))
	switch {
	case jsonAPI.named && jsonAPI.q > 0 && jsonAPI.q >= json.q:
		x.MediaType, x.Accepted = respond.MediaJSONAPI, true
	case json.q > 0:
		x.MediaType, x.Accepted = respond.MediaJSON, true
	case jsonAPI.q > 0:
		x.MediaType, x.Accepted = respond.MediaJSONAPI, true
	}
}

// checkAccept refuses a request that accepts none of the media types of documents, unless the route
// produces another type. It runs after authenticate, so that a client without a key always gets a
// 401.
func checkAccept(c *gin.Context) error {
	if x := respond.StateOf(c); x.Accepted || x.CSV || x.Route.Produces != "" {
		return nil
	}
	return respond.HTTPErrorf(http.StatusNotAcceptable,
		"This path produces only application/json or application/vnd.api+json")
}

// prefersCSV reports whether Accept headers name CSV with a higher quality than JSON. If they name
// no JSON, an equal quality is enough.
func prefersCSV(headers []string) bool {
	var csv preference
	for name, params := range mediaRanges(headers) {
		if name == "text/csv" {
			csv.add(quality(params["q"]), exact)
		}
	}
	if csv.q == 0 {
		return false
	}
	json, jsonAPI := preferences(headers)
	return csv.q > max(json.q, jsonAPI.q) || csv.q == max(json.q, jsonAPI.q) && !json.named && !jsonAPI.named
}

// preference is the preference for a media type that Accept headers express. It comes from the most
// specific matching range. If several ranges are equally specific, it comes from the range with the
// highest quality.
type preference struct {
	q           float64 // quality, from 0 to 1
	specificity int
	named       bool // whether the type is named in full, not by a wildcard
}

// add adds a range that matches the media type.
func (p *preference) add(q float64, specificity int) {
	if specificity > p.specificity || specificity == p.specificity && q > p.q {
		p.q, p.specificity = q, specificity
		p.named = specificity == exact
	}
}

// The specificities of media ranges.
const (
	anyType = iota + 1
	anyApplication
	exact
)

// preferences parses Accept headers. Without a valid range every type is acceptable.
func preferences(headers []string) (json, jsonAPI preference) {
	valid := false
	for name, params := range mediaRanges(headers) {
		valid = true
		q := quality(params["q"])
		switch name {
		case "*/*":
			json.add(q, anyType)
			jsonAPI.add(q, anyType)
		case "application/*":
			json.add(q, anyApplication)
			jsonAPI.add(q, anyApplication)
		case "application/json":
			json.add(q, exact)
		case respond.MediaJSONAPI:
			if _, extended := params["ext"]; !extended { // no extension is supported
				jsonAPI.add(q, exact)
			}
		}
	}
	if !valid {
		json.add(1, anyType)
	}
	return json, jsonAPI
}

// Accepts reports whether Accept headers allow a media type of the form application/….
// Without a valid range every type is acceptable.
func Accepts(headers []string, mediaType string) bool {
	var p preference
	valid := false
	for name, params := range mediaRanges(headers) {
		valid = true
		switch name {
		case "*/*":
			p.add(quality(params["q"]), anyType)
		case "application/*":
			p.add(quality(params["q"]), anyApplication)
		case mediaType:
			p.add(quality(params["q"]), exact)
		}
	}
	return !valid || p.q > 0
}

// quality returns a q parameter; 1 if it is absent or not a number from 0 to 1.
func quality(s string) float64 {
	q, err := strconv.ParseFloat(s, 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 1
	}
	return q
}

// maxAccept is the maximum size of Accept headers, in bytes, and maxRanges the maximum number of
// their media ranges. Browsers send about 200 bytes.
const (
	maxAccept = 1 << 10
	maxRanges = 16
)

// mediaRanges returns the name and the parameters of each media range of Accept headers. Invalid
// ranges are skipped. For headers beyond the limits it returns no ranges, because parsing them is
// slow and clients without a key can send them.
func mediaRanges(headers []string) iter.Seq2[string, map[string]string] {
	return func(yield func(string, map[string]string) bool) {
		size, ranges := 0, 0
		for _, h := range headers {
			size += len(h)
			ranges += 1 + strings.Count(h, ",")
		}
		if size > maxAccept || ranges > maxRanges {
			return
		}
		for r := range strings.SplitSeq(strings.Join(headers, ","), ",") {
			name, params, err := mime.ParseMediaType(r)
			if err == nil && strings.Contains(name, "/") && !yield(name, params) {
				return
			}
		}
	}
}
