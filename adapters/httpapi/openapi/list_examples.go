package openapi

import "strings"

// exampleOrigin is the address of the server in the examples, and exampleID an ID in their paths.
const (
	exampleOrigin = "https://api.example.test"
	exampleID     = "0198a3a5-1f6a-7d0c-9c0e-3a5b1c2d4b01"
)

// addListExamples adds an example to the response of each list: the second page, with the first
// example of a record. Without the example, API references would show the links of a different
// list.
func addListExamples(doc object) {
	for _, path := range doc.object("paths") {
		content := path.Value.(object).object("get").object("responses").object("200").object("content")
		body := content.object("application/json")
		list := doc.resolve(body.object("schema"))
		if body.get("example") != nil || list.object("properties").object("links").get("$ref") != "#/components/schemas/Pages" {
			continue
		}
		record := doc.resolve(list.object("properties").object("data").object("items"))
		if kinds, ok := record.get("oneOf").([]any); ok {
			record = doc.resolve(kinds[0].(object))
		}
		address := exampleOrigin + strings.ReplaceAll(path.Key, "{id}", exampleID)
		example := object{
			{"links", object{{"self", address + "?page=2"}, {"prev", address}, {"next", address + "?page=3"}}},
			{"data", record.get("examples").([]any)[:1]},
		}
		if list.object("properties").get("included") != nil {
			example = example.set("included", []any{})
		}
		content.set("application/json", body.set("example", example))
	}
}

// resolve returns the schema that a reference refers to, and any other schema unchanged.
func (o object) resolve(schema object) object {
	ref, ok := schema.get("$ref").(string)
	if !ok {
		return schema
	}
	return o.object("components").object("schemas").object(strings.TrimPrefix(ref, "#/components/schemas/"))
}
