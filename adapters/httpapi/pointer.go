package httpapi

import (
	"strconv"
	"strings"

	"lyceum/domain/fault"
)

// The members of a document's data that faults may name beside attributes. As a
// field, dataMember is data itself.
const (
	dataMember       = "data"
	typeMember       = "type"
	idMember         = "id"
	uuidMember       = "uuid"
	attributesMember = "attributes"
)

// pointer returns the place in the request's document that f concerns, "" when
// it concerns none.
func pointer(f *fault.Fault) string {
	field := escapePointer(f.Field)
	switch {
	case f.Row > 0 && field == "":
		return "/data/" + strconv.Itoa(f.Row-1)
	case f.Row > 0:
		return "/data/" + strconv.Itoa(f.Row-1) + "/" + field
	case field == "":
		return ""
	}
	switch field {
	case dataMember:
		return "/data"
	case typeMember, idMember, uuidMember, attributesMember:
		return "/data/" + field
	}
	return "/data/attributes/" + field
}

// escapePointer writes a name as a token of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
