package teaching

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// tf returns a text of the pages with values in the places of its verbs.
func (x *siteRequest) tf(english string, values ...any) string {
	return fmt.Sprintf(x.t(english), values...)
}

func itoa(n int) string { return strconv.Itoa(n) }

// parseID returns the ID in a field of a form, and whether it is one.
func parseID(s string) (uuid.UUID, bool) { return text.UUID(s) }

func sortByName(all []related) {
	slices.SortFunc(all, func(a, b related) int { return strings.Compare(text.Fold(a.Name), text.Fold(b.Name)) })
}
