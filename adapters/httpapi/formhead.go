package httpapi

import (
	"io"
	"mime/multipart"
	"net/http"

	"lyceum/adapters/httpapi/respond"
)

// headReader reads a form, and fails if there are more than maxPartHead bytes between
// the content of one part and that of the next.
type headReader struct {
	body   io.Reader
	inHead bool
	left   int // in a head
}

// nextPart returns the next part. The content of the last one has been read.
func (h *headReader) nextPart(parts *multipart.Reader) (*multipart.Part, error) {
	h.inHead, h.left = true, maxPartHead
	defer func() { h.inHead = false }()
	return parts.NextPart()
}

// Read reads on.
func (h *headReader) Read(p []byte) (int, error) {
	if !h.inHead {
		return h.body.Read(p)
	}
	if h.left == 0 {
		return 0, respond.Refusef(http.StatusBadRequest, "A part of the form has headers of more than %d bytes", maxPartHead)
	}
	n, err := h.body.Read(p[:min(len(p), h.left)])
	h.left -= n
	return n, err
}
