package respond

import "strings"

// AnyMatches tells whether the lists of an If-None-Match header name tag, by
// the weak comparison of RFC 9110, section 8.8.3.2; * names every tag.
func AnyMatches(lists []string, tag string) bool {
	want := strings.TrimPrefix(tag, "W/")
	for _, list := range lists {
		rest := strings.TrimSpace(list)
		if rest == "*" {
			return true
		}
		for rest != "" {
			var found string
			found, rest = nextTag(rest)
			if found != "" && found == want {
				return true
			}
		}
	}
	return false
}

// nextTag returns the first tag of a list in its quotes, without its weakness,
// and the list behind it. A tag may hold commas, so the quotes decide; a list
// that is none ends there.
func nextTag(list string) (tag, rest string) {
	list = strings.TrimPrefix(strings.TrimLeft(list, ", \t"), "W/")
	if !strings.HasPrefix(list, `"`) {
		return "", ""
	}
	end := strings.IndexByte(list[1:], '"')
	if end < 0 {
		return "", ""
	}
	return list[:end+2], list[end+2:]
}
