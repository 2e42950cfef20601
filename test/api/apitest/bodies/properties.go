package bodies

import "fmt"

// Definition returns the body of a request that creates or updates a definition of a property. more
// contains further attributes as JSON; blank: none.
func Definition(resource, name, kind, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"data":{"type":"property_definitions","attributes":{"resource":%q,"name":%q,"kind":%q%s}}}`, resource, name, kind, more)
}
