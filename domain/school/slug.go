package school

import (
	"iter"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// fallbackSlug is the slug of a school whose name contains no Latin letter or digit, or whose slug
// would be a UUID.
const fallbackSlug = "school"

// Slugs returns an endless sequence of valid slugs for a school with the given name, without
// repetition: the slug of the name, then the slug with the suffixes -2, -3 and so on.
func Slugs(name string) iter.Seq[string] {
	slug := text.Slugify(name)
	if _, err := checkSlug(slug); err != nil {
		slug = fallbackSlug
	}
	return func(yield func(string) bool) {
		for n := 1; yield(numbered(slug, n)); n++ {
		}
	}
}

// numbered returns slug with the suffix -n, shortened if necessary to fit the maximum length. For
// n = 1 it adds no suffix.
func numbered(slug string, n int) string {
	if n == 1 {
		return slug
	}
	suffix := "-" + strconv.Itoa(n)
	room := min(len(slug), text.MaxSlug-len(suffix))
	return strings.TrimRight(slug[:room], "-") + suffix
}

// firstSlug returns the first slug for a school with the given name.
func firstSlug(name string) (slug string) {
	for slug = range Slugs(name) {
		break
	}
	return slug
}

// IsSlug reports whether s can be the slug of a school.
func IsSlug(s string) bool {
	_, err := checkSlug(s)
	return err == nil
}

// checkSlug returns s if it satisfies text.Slug and is not a UUID.
func checkSlug(s string) (string, error) {
	s, err := text.Slug("slug", s)
	if _, isUUID := text.UUID(s); isUUID {
		err = fault.Invalidf("slug", "must not be a UUID")
	}
	return s, err
}
