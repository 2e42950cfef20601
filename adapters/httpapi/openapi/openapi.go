// Package openapi assembles the OpenAPI 3.1 document of the API from handwritten YAML files.
// openapi.yaml is the outline, the folder resources has a file for each resource, and
// conventions.yaml has the common parts of operations. Paths under the key twins are copied to both
// versions; {v} in their texts is replaced with the version. Start at Document.
package openapi

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.yaml description.md resources/*.yaml
var files embed.FS

// Document returns the document as JSON. base is the path in front of every path of the API: empty,
// or a path with a leading slash and without a trailing one. An error means that the files contain
// a mistake; tests ensure that they do not.
func Document(base string) ([]byte, error) {
	doc, err := assemble(files, base)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return json.Marshal(doc)
}

// assemble merges the files into one document.
func assemble(files fs.FS, base string) (object, error) {
	parts, err := fs.Glob(files, "resources/*.yaml")
	if err != nil {
		return nil, err
	}
	parts = append([]string{"openapi.yaml", "shared.yaml", "responses.yaml", "schemas.yaml", "relationships.yaml"}, parts...)
	var doc object
	for _, name := range parts {
		part, err := read(files, name)
		if err == nil {
			doc, err = merge(doc, spread(part))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	description, err := fs.ReadFile(files, "description.md")
	if err != nil {
		return nil, err
	}
	common, err := read(files, "conventions.yaml")
	if err != nil {
		return nil, err
	}
	addSelections(doc)
	paths := doc.object("paths")
	for i, path := range paths {
		paths[i].Value = withPut(withVersion(path.Key, path.Value.(object)))
		if err := conventions(common).apply(path.Key, paths[i].Value.(object)); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(paths, func(a, b member) int { return rank(a.Key) - rank(b.Key) })
	addListExamples(doc)
	doc = doc.set("info", doc.object("info").set("description", string(description)))
	doc = doc.set("servers", []any{object{{"url", base + "/"}}})
	return doc, nil
}

// rank returns the position of a path in the document: the current version is first.
func rank(path string) int {
	if strings.HasPrefix(path, "/v2/") {
		return 0
	}
	return 1
}

func read(files fs.FS, name string) (object, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// spread returns a part of the document with its paths for both versions: the paths under the key
// twins are copied to each version.
func spread(part object) object {
	var whole object
	var paths object
	for _, m := range part {
		switch m.Key {
		case "twins":
			paths = append(paths, versionPaths(m.Value.(object), "v2")...)
			paths = append(paths, versionPaths(m.Value.(object), "v1")...)
		case "paths":
			paths = append(paths, m.Value.(object)...)
		default:
			whole = append(whole, m)
		}
	}
	if paths == nil {
		return whole
	}
	return append(whole, member{"paths", paths})
}

// withVersion returns a path item with the version of the path in its summaries, because readers
// see only the summaries in the list of operations.
func withVersion(path string, item object) object {
	version, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if version != "v1" && version != "v2" {
		return item
	}
	return rewrite(item, func(key, text string) string {
		if key == "summary" {
			text += " (" + version + ")"
		}
		return text
	}).(object)
}

// withPut returns a path item with PUT as an alias of PATCH. The document of a PUT may omit the
// type and the ID, in both versions.
func withPut(path object) object {
	patch := path.get("patch")
	if patch == nil || path.get("put") != nil {
		return path
	}
	return append(path, member{"put", rewrite(patch, func(key, text string) string {
		switch key {
		case "operationId":
			return text + "ByPut"
		case "summary":
			return text + " (PUT)"
		case "$ref":
			if short, ok := strings.CutSuffix(text, ".v1"); ok {
				return short + ".v2"
			}
		}
		return text
	})})
}

// versionPaths returns copies of paths in version v. It replaces {v} in texts with the version, and
// appends V2 to the operation IDs of v2.
func versionPaths(paths object, v string) object {
	spelt := func(key, text string) string {
		text = strings.ReplaceAll(text, "{v}", v)
		if v == "v2" && key == "operationId" {
			text += "V2"
		}
		return text
	}
	all := make(object, len(paths))
	for i, path := range paths {
		all[i] = member{"/" + v + path.Key, rewrite(path.Value, spelt)}
	}
	return all
}
