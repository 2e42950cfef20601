package httpapi

import (
	"slices"
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

	relationshipsMember = "relationships"
)

// related is the relationships of documents that are sent. As a field, each is
// the id that it names.
var related = []string{"activity", "person", "question"}

// pointer returns the place in the request's document that f concerns, "" when
// it concerns none.
func pointer(f *fault.Fault) string {
	if name, member, ok := relationshipOf(f); ok {
		return relationshipPointer(name, member, f.Row)
	}
	switch {
	case f.Row > 0:
		return "/data/" + strconv.Itoa(f.Row-1) + place(f.Field)
	case f.Field == "":
		return ""
	case f.Field == dataMember:
		return "/data"
	}
	return "/data" + place(f.Field)
}

// place returns where a field stands in the data of a resource.
func place(field string) string {
	switch {
	case field == "":
		return ""
	case isMember(field), strings.HasPrefix(field, relationshipsMember+"/"):
		return "/" + field
	case slices.Contains(related, field):
		return "/" + relationshipsMember + "/" + field + "/data/" + idMember
	}
	return "/" + attributesMember + "/" + inside.Replace(escapePointer(field))
}

// inside writes a field within an array or an object, such as
// activities[3].quiz.name, as a pointer does.
var inside = strings.NewReplacer("[", "/", "]", "", ".", "/")

// isMember tells whether a field is a member of a resource, and not in one.
func isMember(field string) bool {
	return slices.Contains([]string{typeMember, idMember, uuidMember, attributesMember, relationshipsMember}, field)
}

// root returns what a field is about: the relationship, if it stands in one.
func root(field string) string {
	rest, ok := strings.CutPrefix(field, relationshipsMember+"/")
	if !ok {
		return field
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// relationshipOf returns the relationship of a document that f concerns, and the
// member of its resource identifier, blank when it is none.
func relationshipOf(f *fault.Fault) (name, member string, ok bool) {
	place, ok := strings.CutPrefix(f.Field, relationshipsMember+".")
	if ok {
		name, member, _ = strings.Cut(place, ".")
	}
	return name, member, ok
}

// relationshipPointer returns the place of a relationship, or of one of its
// resource identifiers: the row, from 1, of those of a relationship to many.
func relationshipPointer(name, member string, row int) string {
	place := "/data/" + relationshipsMember + "/" + escapePointer(name)
	if row > 0 || member != "" {
		place += "/" + dataMember
	}
	if row > 0 {
		place += "/" + strconv.Itoa(row-1)
	}
	if member != "" {
		place += "/" + escapePointer(member)
	}
	return place
}

// escapePointer writes a name as a token of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
