package respond

import "strings"

// AnyMatches reports whether the lists of an If-Match or If-None-Match header contain tag, by the
// weak comparison of RFC 9110, section 8.8.3.2. An asterisk matches every tag.
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

// nextTag returns the first tag of a list with its quotes, without the prefix W/, and the rest of
// the list. A tag may contain commas and therefore ends at its closing quote. In an invalid list,
// nextTag ignores everything after the error.
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
