package format

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// strangers returns a fault for each member that the kind does not have.
func strangers(members map[string]json.RawMessage, kind string) error {
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
		errs[i] = fault.Invalidf(shortened(name), "is no member of this kind%s", hint(name, known))
	}
	return fault.Join(errs...)
}

// memberNames is the names of the members of each kind, found once.
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

// Members returns the names of the members of a kind of line.
func Members(kind string) []string { return memberNames[kind] }

// hint returns what was probably meant by a name, in brackets, or nothing.
func hint(name string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if d := distance(strings.ToLower(name), k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (is it %q?)", best)
}

// distance returns how many letters must be put in, taken away or changed to
// make b of a; of long texts, something that is too much.
func distance(a, b string) int {
	if len(a) > 2*len(b)+3 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

// shortened returns s, or its beginning when it is too long to be told.
func shortened(s string) string {
	const most = 60
	letters := []rune(s)
	if len(letters) <= most {
		return s
	}
	return string(letters[:most]) + "…"
}
