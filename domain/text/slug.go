package text

import (
	"regexp"
	"strings"

	"lyceum/domain/fault"
)

// MaxSlug is the longest slug, in characters.
const MaxSlug = 80

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Slug returns s when it is a slug: lower-case Latin letters and digits in
// words joined by single hyphens, at most MaxSlug characters.
func Slug(field, s string) (string, error) {
	switch {
	case s == "":
		return "", fault.Blank(field)
	case len(s) > MaxSlug:
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxSlug)
	case !slugForm.MatchString(s):
		return "", fault.Invalidf(field, "may hold lower-case letters, digits and single hyphens between them")
	}
	return s, nil
}

// Slugify returns the slug nearest to name, empty when name holds no Latin
// letter or digit at all.
func Slugify(name string) string {
	words := strings.FieldsFunc(Fold(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	if len(slug) > MaxSlug {
		slug = strings.TrimRight(slug[:MaxSlug], "-")
	}
	return slug
}
