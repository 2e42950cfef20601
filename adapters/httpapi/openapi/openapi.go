// Package openapi holds the description of the API, an OpenAPI 3.1 document
// that is written by hand. openapi.yaml is its frame, the files beside it its
// parts. What would have to be said over and over is said once: the paths of
// twins stand under both versions, and conventions.yaml says what holds for
// every operation of a kind.
package openapi

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.yaml description.md resources/*.yaml
var files embed.FS

// Document returns the description as JSON. base is what stands before every
// path of the API in an address: blank, or a path that begins with a slash and
// does not end with one. An error is a fault of the files, which tests exclude.
func Document(base string) ([]byte, error) {
	doc, err := assemble(files, base)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return json.Marshal(doc)
}

// assemble puts the files together.
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
	paths := doc.object("paths")
	for i, path := range paths {
		paths[i].Value = withPut(path.Value.(object))
		if err := conventions(common).apply(path.Key, paths[i].Value.(object)); err != nil {
			return nil, err
		}
	}
	doc = doc.set("info", doc.object("info").set("description", string(description)))
	doc = doc.set("servers", []any{object{{"url", base + "/"}}})
	bothTypes(doc)
	return doc, nil
}

func read(files fs.FS, name string) (object, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// spread returns a part of the document with its twins among the paths.
func spread(part object) object {
	var whole object
	var paths object
	for _, m := range part {
		switch m.Key {
		case "twins":
			paths = append(paths, twins(m.Value.(object), "v1")...)
			paths = append(paths, twins(m.Value.(object), "v2")...)
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

// withPut returns a path with PUT as an alias of PATCH. The document of a PUT need
// not name its resource, in either version.
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

// twins returns paths under a version: {v} in a text is the version, and what
// is under v2 says so in its name and summary.
func twins(paths object, v string) object {
	spelt := func(key, text string) string {
		text = strings.ReplaceAll(text, "{v}", v)
		switch {
		case v == "v2" && key == "operationId":
			text += "V2"
		case v == "v2" && key == "summary":
			text += " (v2)"
		}
		return text
	}
	all := make(object, len(paths))
	for i, path := range paths {
		all[i] = member{"/" + v + path.Key, rewrite(path.Value, spelt)}
	}
	return all
}
