package request

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// Members of a document's data that can be the field of a fault, in addition to attributes.
// DataMember stands for the data as a whole.
const (
	DataMember       = "data"
	TypeMember       = "type"
	IDMember         = "id"
	uuidMember       = "uuid"
	attributesMember = "attributes"

	relationshipsMember = "relationships"
)

// bareRelationships contains the relationships that a use case may name without the prefix
// "relationships.". As a field, such a name stands for the ID in the relationship.
var bareRelationships = []string{"activity", "person", "question"}

// Pointer returns the JSON pointer (RFC 6901) to the part of the request's document that f
// concerns, or "" if it concerns no part. A row is the number of an element of data.
func Pointer(f *fault.Fault) string {
	switch {
	case f.Row > 0:
		return "/data/" + strconv.Itoa(f.Row-1) + dataPointer(f.Field)
	case f.Field == "":
		return ""
	case f.Field == DataMember:
		return "/data"
	}
	return "/data" + dataPointer(f.Field)
}

// dataPointer returns the pointer to a field within the data of a resource.
func dataPointer(field string) string {
	if r, ok := relationshipOf(field); ok {
		return r.pointer()
	}
	switch {
	case field == "":
		return ""
	case isMember(field):
		return "/" + field
	}
	// A property name may contain any character, so it is a single token.
	field, property, isProperty := cutProperty(field)
	pointer := "/" + attributesMember + "/" + pointerReplacer.Replace(escapePointer(field))
	if isProperty {
		pointer += "/" + escapePointer(property)
	}
	return pointer
}

// cutProperty cuts a field such as people[3].properties.city before the name of the property.
func cutProperty(field string) (before, name string, ok bool) {
	const mark = property.Field + "."
	if rest, ok := strings.CutPrefix(field, mark); ok {
		return property.Field, rest, true
	}
	before, name, ok = strings.Cut(field, "."+mark)
	if !ok {
		return field, "", false
	}
	return before + "." + property.Field, name, true
}

// pointerReplacer converts a path within an array or an object, such as activities[3].quiz.name, to
// a pointer.
var pointerReplacer = strings.NewReplacer("[", "/", "]", "", ".", "/")

// isMember reports whether a field is a top-level member of a resource.
func isMember(field string) bool {
	return slices.Contains([]string{TypeMember, IDMember, uuidMember, attributesMember, relationshipsMember}, field)
}

// relationshipPart is a field that is a relationship or a part of one:
// relationships.person, relationships.person.id, relationships.categories[2].type.
type relationshipPart struct {
	name   string // name of the relationship
	index  int    // index of the resource identifier in a to-many relationship; -1: none
	member string // member of the resource identifier, or data for the identifier itself; empty: none
}

// relationshipOf returns the part of a relationship that a field names, and reports whether it
// names one.
func relationshipOf(field string) (r relationshipPart, ok bool) {
	if slices.Contains(bareRelationships, field) {
		return relationshipPart{name: field, index: -1, member: IDMember}, true
	}
	rest, ok := strings.CutPrefix(field, relationshipsMember+".")
	if !ok {
		return relationshipPart{}, false
	}
	rest, r.member, _ = strings.Cut(rest, ".")
	name, index, many := strings.Cut(strings.TrimSuffix(rest, "]"), "[")
	r.name, r.index = name, -1
	if many {
		r.index, _ = strconv.Atoi(index)
	}
	return r, true
}

// pointer returns the pointer to r within the data of a resource.
func (r relationshipPart) pointer() string {
	at := "/" + relationshipsMember + "/" + escapePointer(r.name)
	switch {
	case r.index >= 0:
		at += "/" + DataMember + "/" + strconv.Itoa(r.index)
	case r.member != "" && r.member != DataMember:
		at += "/" + DataMember
	}
	if r.member != "" {
		at += "/" + escapePointer(r.member)
	}
	return at
}

// tokenReplacer escapes the characters that have a meaning in a JSON pointer (RFC 6901).
var tokenReplacer = strings.NewReplacer("~", "~0", "/", "~1")

// escapePointer escapes a name as a token of a JSON pointer.
func escapePointer(name string) string { return tokenReplacer.Replace(name) }
