package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"lyceum/adapters/httpapi/openapi"
)

// TestGeneratorsUnderstandTheDocument checks requirements of client generators that an OpenAPI
// validator does not check.
func TestGeneratorsUnderstandTheDocument(t *testing.T) {
	text, err := openapi.Document("")
	is.New(t).NoErr(err)
	var doc map[string]any
	is.New(t).NoErr(json.Unmarshal(text, &doc))

	t.Run("every const and enum has a type", func(t *testing.T) {
		each(doc, "", func(path string, o map[string]any) {
			_, isConst := o["const"]
			_, isEnum := o["enum"]
			if _, typed := o["type"]; (isConst || isEnum) && !typed {
				t.Errorf("%s has no type", path)
			}
		})
	})
	t.Run("every const and every value of an enum is a plain one", func(t *testing.T) {
		each(doc, "", func(path string, o map[string]any) {
			values, _ := o["enum"].([]any)
			for _, value := range append(values, o["const"]) {
				if _, ok := value.([]any); ok {
					t.Errorf("%s has the value %v", path, value)
				}
			}
		})
	})
	t.Run("every schema of an allOf has members", func(t *testing.T) {
		parts := 0
		each(doc, "", func(path string, o map[string]any) {
			list, _ := o["allOf"].([]any)
			for _, part := range list {
				parts++
				ref, _ := part.(map[string]any)["$ref"].(string)
				name := strings.TrimPrefix(ref, "#/components/schemas/")
				if member(doc, "components", "schemas", name, "properties") == nil {
					t.Errorf("%s: %s has none", path, name)
				}
			}
		})
		is.New(t).True(parts > 0)
	})
	t.Run("every array has items", func(t *testing.T) {
		each(doc, "", func(path string, o map[string]any) {
			if _, ok := o["items"]; o["type"] == "array" && !ok {
				t.Errorf("%s has no items", path)
			}
		})
	})
	t.Run("a component has a name of its own, since each becomes a type", func(t *testing.T) {
		kinds := map[string]string{}
		for kind, components := range doc["components"].(map[string]any) {
			if kind == "headers" || kind == "securitySchemes" {
				continue // contains no types
			}
			for name := range components.(map[string]any) {
				if other, ok := kinds[strings.ToLower(name)]; ok {
					t.Errorf("%s is the name of one of %s and of %s", name, other, kind)
				}
				kinds[strings.ToLower(name)] = kind
			}
		}
	})
	t.Run("a response has one media type", func(t *testing.T) {
		each(doc, "", func(path string, o map[string]any) {
			content, _ := o["content"].(map[string]any)
			if _, ok := content["application/json"]; ok && len(content) != 1 {
				t.Errorf("%s has %d media types", path, len(content))
			}
		})
	})
	t.Run("the paths of v2 come first", func(t *testing.T) {
		is := is.New(t)
		paths := regexp.MustCompile(`"/(v[12])/[^"]*":\{"(?:get|post|put|patch|delete|parameters)":`).FindAllSubmatch(text, -1)
		is.True(len(paths) > 50)
		is.True(slices.IsSortedFunc(paths, func(a, b [][]byte) int { return bytes.Compare(b[1], a[1]) }))
	})
	t.Run("every operation has a description", func(t *testing.T) {
		each(doc["paths"], "", func(path string, o map[string]any) {
			if _, ok := o["operationId"]; ok && o["description"] == nil {
				t.Errorf("%s has no description", path)
			}
		})
	})
	t.Run("the example of a list links to that list", func(t *testing.T) {
		is := is.New(t)
		lists := 0
		for path, item := range doc["paths"].(map[string]any) {
			link, ok := member(item, "get", "responses", "200", "content", "application/json", "example", "links", "next").(string)
			if !ok {
				continue
			}
			lists++
			got, _, _ := strings.Cut(strings.TrimPrefix(link, "https://api.example.test"), "?")
			is.Equal(strings.ReplaceAll(got, "0198a3a5-1f6a-7d0c-9c0e-3a5b1c2d4b01", "{id}"), path)
		}
		is.True(lists > 20)
	})
}

// each calls f with every object in v and its path.
func each(v any, path string, f func(path string, o map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(path, v)
		for name, inner := range v {
			each(inner, path+"/"+name, f)
		}
	case []any:
		for i, inner := range v {
			each(inner, fmt.Sprintf("%s/%d", path, i), f)
		}
	}
}

// member returns the value at the end of a path of names, or nil if it does not exist.
func member(v any, names ...string) any {
	for _, name := range names {
		o, _ := v.(map[string]any)
		v = o[name]
	}
	return v
}
