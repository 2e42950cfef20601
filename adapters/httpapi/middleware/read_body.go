package middleware

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
)

// bytesPerValue limits the number of JSON values in a body to one for each bytesPerValue bytes of
// the body limit, because a parsed value needs far more memory than its text. A resource identifier
// has 19 bytes per value, and a structure, or a bulk row with targets of 6 letters, at least 9.
const bytesPerValue = 8

// ReadPayload returns the JSON value of the request's body, which is absent if the body is empty.
func ReadPayload(c *gin.Context) (jsonapi.Value, error) {
	body, err := ReadBody(c)
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
	value, err := jsonapi.Parse(body, int(respond.StateOf(c).BodyLimit/bytesPerValue))
	if err != nil {
		return jsonapi.Value{}, respond.HTTPErrorf(http.StatusBadRequest, "%s", err)
	}
	return value, nil
}

// ReadBody returns the request's body, or an error with status 413 if the body exceeds its limit.
func ReadBody(c *gin.Context) ([]byte, error) {
	limit := respond.StateOf(c).BodyLimit
	if b, ok := c.Request.Body.(*BufferedBody); ok && int64(len(b.Bytes())) <= limit {
		return b.Bytes(), nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, respond.HTTPErrorf(http.StatusRequestEntityTooLarge, "The request body exceeds %d bytes", limit)
	case err != nil:
		return nil, respond.ReadError("body", err)
	}
	return body, nil
}

// checkMediaType refuses a body that is not declared as JSON. The body of a DELETE is not checked,
// because clients send various media types with it.
func checkMediaType(r *http.Request, body []byte) error {
	if r.Method == http.MethodDelete {
		return nil
	}
	refused := respond.HTTPErrorf(http.StatusUnsupportedMediaType,
		"The body must be application/json or application/vnd.api+json, in UTF-8 and uncompressed")
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
	case respond.MediaJSONAPI:
		if _, extended := params["ext"]; extended { // no extension is supported
			return refused
		}
		return nil
	case "application/x-www-form-urlencoded":
		// curl sends this media type by default
		if body[0] == '{' || body[0] == '[' {
			return nil
		}
	}
	return refused
}
