package jsonapi

// Errors is the document of a failure.
type Errors struct {
	Errors []Error `json:"errors"`
}

// Error is one failure.
type Error struct {
	Status string `json:"status"` // the HTTP status, as text
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Source Source `json:"source"`
	Meta   any    `json:"meta,omitempty"`
}

// Source is the part of the request that a failure concerns. It is always written: as an
// empty object if the failure concerns no part.
type Source struct {
	Pointer   string `json:"pointer,omitempty"`   // pointer into the body (RFC 6901)
	Parameter string `json:"parameter,omitempty"` // name of a query parameter
	Header    string `json:"header,omitempty"`
}
