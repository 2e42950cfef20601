package text

import (
	"regexp"
	"strings"

	"lyceum/domain/fault"
)

// MaxSlug is the maximum length of a slug, in characters.
const MaxSlug = 80

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Slug returns s if it is a slug: words of lowercase Latin letters and digits, joined by single
// hyphens, at most MaxSlug characters.
func Slug(field, s string) (string, error) {
	switch {
	case s == "":
		return "", fault.Blank(field)
	case len(s) > MaxSlug:
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxSlug)
	case !slugForm.MatchString(s):
		return "", fault.Invalidf(field, "must consist of lowercase letters, digits and single hyphens")
	}
	return s, nil
}

// Slugify converts name to a slug. It returns "" if name contains no Latin letter or digit.
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
