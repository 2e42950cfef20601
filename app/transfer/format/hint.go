package format

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// unknownFields returns a fault for each field that the kind does not have.
func unknownFields(members map[string]json.RawMessage, kind string) error {
	known := memberNames[kind]
	var unknown []string
	for name := range members {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	errs := make([]error, len(unknown))
	for i, name := range unknown {
		errs[i] = fault.Invalidf(truncate(name), "unknown field%s", hint(name, known))
	}
	return fault.Join(errs...)
}

var memberNames = func() map[string][]string {
	all := map[string][]string{}
	for kind, empty := range kinds {
		for field := range reflect.TypeOf(empty()).Elem().Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			all[kind] = append(all[kind], name)
		}
	}
	return all
}()

// FieldNames returns the names of the fields of a kind of line.
func FieldNames(kind string) []string { return memberNames[kind] }

// hint returns the known name that is closest to name, in parentheses, or "" if none is close.
func hint(name string, known []string) string {
	best := text.Closest(name, known)
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// truncate returns s, shortened for an error text.
func truncate(s string) string {
	const most = 60
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}
