package course

import (
	"iter"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// unnamed is the permalink of a course whose name has no Latin letter or digit,
// or would make a permalink that looks like an id.
const unnamed = "course"

// Permalinks yields the permalinks that suit a course called name, the plainest
// first: the slug of the name, then the same with -2, -3 and so on. None occurs
// twice, and each is one that New takes. There is no end.
func Permalinks(name string) iter.Seq[string] {
	slug := text.Slugify(name)
	if _, err := permalink(slug); err != nil {
		slug = unnamed
	}
	return func(yield func(string) bool) {
		for n := 1; yield(numbered(slug, n)); n++ {
		}
	}
}

// numbered returns slug with the number n at its end, shortened to make room for
// it; the first goes without.
func numbered(slug string, n int) string {
	if n == 1 {
		return slug
	}
	suffix := "-" + strconv.Itoa(n)
	room := min(len(slug), text.MaxSlug-len(suffix))
	return strings.TrimRight(slug[:room], "-") + suffix
}

// permalink returns s when it can be a permalink: it obeys text.Slug and is no
// UUID, so that either can name a course.
func permalink(s string) (string, error) {
	s, err := text.Slug("permalink", s)
	if _, isUUID := text.UUID(s); isUUID {
		err = fault.Invalidf("permalink", "must not be a UUID")
	}
	return s, err
}
