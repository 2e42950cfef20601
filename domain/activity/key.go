package activity

import (
	"fmt"
	"strings"

	"lyceum/domain/text"
)

// KeyFor returns a key for an activity that has none: the slug of its title. If taken reports that
// the slug is used, a number is appended.
func KeyFor(title string, taken func(key string) bool) string {
	slug := text.Slugify(title)
	if slug == "" {
		slug = "activity"
	}
	key := slug
	for n := 2; taken(key); n++ {
		number := fmt.Sprintf("-%d", n)
		key = strings.TrimRight(slug[:min(len(slug), text.MaxSlug-len(number))], "-") + number
	}
	return key
}
