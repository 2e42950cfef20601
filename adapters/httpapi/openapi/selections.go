package openapi

import (
	"slices"
	"strings"
)

// notIncluded contains the relationships whose resources cannot be included, because they cannot be
// read individually.
var notIncluded = []string{"course_attempt", "quiz_attempt"}

// addSelections adds the common parts of GET operations for records and lists: the parameters
// fields, include and count, and the response members included and meta.
func addSelections(doc object) {
	schemas := doc.object("components").object("schemas")
	for _, path := range doc.object("paths") {
		item := path.Value.(object)
		op := item.object("get")
		content := op.object("responses").object("200").object("content").object("application/json")
		name := strings.TrimPrefix(content.object("schema").string("$ref"), "#/components/schemas/")
		schema := schemas.object(name)
		members := schema.object("properties")
		data, isList := members.object("data"), members.get("links") != nil
		if data == nil || strings.HasSuffix(path.Key, "/structure") {
			continue
		}
		if isList {
			data = data.object("items")
		}
		parameters, _ := op.get("parameters").([]any)
		parameters = append(parameters, object{{"$ref", "#/components/parameters/Fields"}})
		if names := doc.includable(data); names != nil {
			parameters = append(parameters, includeParameter(names))
		}
		members = members.set("included", object{{"$ref", "#/components/schemas/Included"}}) // a blank include adds it too
		if isList {
			parameters = append(parameters, object{{"$ref", "#/components/parameters/CountRows"}})
			members = members.set("meta", object{{"$ref", "#/components/schemas/ListMeta"}})
		}
		schemas.set(name, schema.set("properties", members))
		item.set("get", op.set("parameters", parameters))
	}
}

// includable returns the names of the relationships in a resource's schema that can be included.
func (o object) includable(schema object) []string {
	record := o.resolve(schema)
	if kinds, ok := record.get("oneOf").([]any); ok {
		record = o.resolve(kinds[0].(object))
	}
	relationships := o.resolve(record.object("properties").object("relationships"))
	var names []string
	for _, m := range relationships.object("properties") {
		if !slices.Contains(notIncluded, m.Key) {
			names = append(names, m.Key)
		}
	}
	return names
}

func includeParameter(names []string) object {
	return object{
		{"name", "include"},
		{"in", "query"},
		{"description", "Relationships, separated by commas, whose resources `included` contains: `" + strings.Join(names, "`, `") +
			"`. A dot leads to a relationship of the related resource, as in `course.categories`. See *Related resources* in the introduction."},
		{"schema", object{{"type", "string"}}},
	}
}

// string returns the value of a member that is a text, or "" if it does not exist.
func (o object) string(key string) string {
	text, _ := o.get(key).(string)
	return text
}
