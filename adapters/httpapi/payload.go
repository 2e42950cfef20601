package httpapi

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
)

// bytesPerValue says how many JSON values a body may hold: one for each so many
// bytes that it may have, for a value costs far more memory than its bytes. A
// resource identifier has 19 bytes for each of its values, a structure in the
// form that GET shows at least 9, a bulk row whose targets have 6 letters or more
// 9 as well.
const bytesPerValue = 8

// readPayload returns the JSON value of the request's body; it is absent when
// the body is empty.
func (s *server) readPayload(c *gin.Context) (jsonapi.Value, error) {
	body, err := s.readBody(c)
	if err != nil {
		return jsonapi.Value{}, err
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return jsonapi.Value{}, nil
	}
	if err := checkMediaType(c.Request, body); err != nil {
		return jsonapi.Value{}, err
	}
	value, err := jsonapi.Parse(body, int(s.bodyLimit(c)/bytesPerValue))
	if err != nil {
		return jsonapi.Value{}, respond.Refusef(http.StatusBadRequest, "%s", err)
	}
	return value, nil
}

// readBody returns the request's body, unless it is larger than it may be.
func (s *server) readBody(c *gin.Context) ([]byte, error) {
	limit := s.bodyLimit(c)
	if held, ok := c.Request.Body.(*heldBody); ok && int64(len(held.all)) <= limit {
		return held.all, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, respond.Refusef(http.StatusRequestEntityTooLarge, "The body is larger than %d bytes", limit)
	case err != nil:
		return nil, respond.Unread("body", err)
	}
	return body, nil
}

// bodyLimit returns how many bytes the request's body may have.
func (s *server) bodyLimit(c *gin.Context) int64 {
	return cmp.Or(respond.StateOf(c).BodyLimit, s.cfg.BodyLimit)
}

// limitBody lets the bodies of a route have so many bytes.
func limitBody(limit int64) gin.HandlerFunc {
	return func(c *gin.Context) { respond.StateOf(c).BodyLimit = limit }
}

// checkMediaType refuses a body that does not claim to be JSON. DELETE is not
// asked: clients give it any type, with a body that means nothing.
func checkMediaType(r *http.Request, body []byte) error {
	if r.Method == http.MethodDelete {
		return nil
	}
	refused := respond.Refusef(http.StatusUnsupportedMediaType,
		"A body must be application/json or application/vnd.api+json, in UTF-8 and not compressed")
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refused
	}
	claimed := r.Header.Get("Content-Type")
	if claimed == "" {
		return nil
	}
	name, params, err := mime.ParseMediaType(claimed)
	if err != nil {
		return refused
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return refused
	}
	switch name {
	case "application/json":
		return nil
	case mediaJSONAPI:
		if _, extended := params["ext"]; extended { // JSON:API: no extension is supported
			return refused
		}
		return nil
	case "application/x-www-form-urlencoded":
		// What curl claims of every body that it is not told the type of.
		if body[0] == '{' || body[0] == '[' {
			return nil
		}
	}
	return refused
}
