package openapi

import (
	"fmt"
	"strings"
)

// refusals returns the errors of an operation: its own list, in which names of common lists are
// expanded, and the lists of its kinds.
func (c conventions) refusals(own []any, kinds []string) ([]any, error) {
	common := object(c).object("refusals")
	var all []any
	for _, entry := range own {
		switch entry := entry.(type) {
		case object:
			all = append(all, c.refusal(entry)...)
		case string:
			listed, ok := common.get(entry).([]any)
			if !ok {
				return nil, fmt.Errorf("unknown list of errors %q", entry)
			}
			all = append(all, c.listed(listed)...)
		}
	}
	for _, kind := range kinds {
		listed, _ := common.get(kind).([]any)
		all = append(all, c.listed(listed)...)
	}
	return all, nil
}

func (c conventions) listed(list []any) []any {
	var all []any
	for _, entry := range list {
		all = append(all, c.refusal(entry.(object))...)
	}
	return all
}

// refusal expands an entry. It replaces the names of common details with these details. A pointer
// with [/*] results in two entries: one for a body with one record, without that part, and one for
// a body with several, with /*.
func (c conventions) refusal(entry object) []any {
	common := object(c).object("details")
	var details []any
	said, _ := entry.get("details").([]any)
	for _, detail := range said {
		name, _ := detail.(string)
		if listed, ok := common.get(name).([]any); ok {
			details = append(details, listed...)
			continue
		}
		details = append(details, detail)
	}
	pointer, _ := entry.get("pointer").(string)
	pointers := []string{strings.Replace(pointer, "[/*]", "", 1)}
	if pointers[0] != pointer {
		pointers = append(pointers, strings.Replace(pointer, "[/*]", "/*", 1))
	}
	var all []any
	for _, pointer := range pointers {
		refusal := append(object(nil), entry...) // several operations can share the entry
		if pointer != "" {
			refusal = refusal.set("pointer", pointer)
		}
		all = append(all, refusal.set("details", details))
	}
	return all
}
