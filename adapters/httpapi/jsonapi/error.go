package jsonapi

// Errors is the document of a failed request.
type Errors struct {
	Errors []Error `json:"errors"`
}

// Error is an error object.
type Error struct {
	Status string `json:"status"` // the HTTP status, as text
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Source Source `json:"source"`
	Meta   any    `json:"meta,omitempty"`
}

// Source is the part of the request that an error concerns. It is always written: as an empty
// object if the error concerns no part.
type Source struct {
	Pointer   string `json:"pointer,omitempty"`   // pointer into the body (RFC 6901)
	Parameter string `json:"parameter,omitempty"` // name of a query parameter
	Header    string `json:"header,omitempty"`
}
