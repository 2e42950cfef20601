package bodies

import "strings"

// Element returns a resource identifier for a request body.
func Element(typ, id string) string { return `{"type":"` + typ + `","id":"` + id + `"}` }

// Data returns the body of a request about a relationship.
func Data(elements ...string) string { return `{"data":[` + strings.Join(elements, ",") + `]}` }
