package course

import (
	"iter"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// fallbackSlug is the permalink of a course whose name contains no Latin letter or digit, or whose
// slug would be a UUID.
const fallbackSlug = "course"

// Permalinks returns an endless sequence of valid permalinks for a course with the given name,
// without repetition: the slug of the name, then the slug with the suffixes -2, -3 and so on.
func Permalinks(name string) iter.Seq[string] {
	slug := text.Slugify(name)
	if _, err := permalink(slug); err != nil {
		slug = fallbackSlug
	}
	return func(yield func(string) bool) {
		for n := 1; yield(withNumber(slug, n)); n++ {
		}
	}
}

// withNumber returns slug with the suffix -n, shortened if necessary to fit the maximum length. For
// n = 1 it adds no suffix.
func withNumber(slug string, n int) string {
	if n == 1 {
		return slug
	}
	suffix := "-" + strconv.Itoa(n)
	room := min(len(slug), text.MaxSlug-len(suffix))
	return strings.TrimRight(slug[:room], "-") + suffix
}

// permalink returns s if it satisfies text.Slug and is not a UUID, so that paths can contain either
// the permalink or the id.
func permalink(s string) (string, error) {
	s, err := text.Slug("permalink", s)
	if _, isUUID := text.UUID(s); isUUID {
		err = fault.Invalidf("permalink", "must not be a UUID")
	}
	return s, err
}
