package listquery

import (
	"slices"
	"strconv"
	"time"

	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/change"
	"lyceum/domain/fault"
)

// MaxWait is the maximum of the parameter wait.
const MaxWait = 60 * time.Second

// Follow contains the parameters of a list that a client follows as it grows.
type Follow struct {
	// Wait is how long the request waits for a first row. nil: the request has no such parameter,
	// so the last page has no link to the next one.
	Wait  *time.Duration
	After *change.Position // where the page starts; nil: at the cursor or at the first row
	// Shared is the encoded wait, which links to other pages repeat; empty: none.
	Shared string
}

// ParseFollow parses the parameters of Follow. It returns a fault if the list cannot be followed
// because of another parameter.
func ParseFollow(pairs []respond.Parameter) (f Follow, err error) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(pairs, func(p respond.Parameter) bool { return slices.Contains(names, p.Name) })
	}
	var errs []error
	for _, p := range pairs {
		switch p.Name {
		case "wait":
			seconds, err := strconv.ParseUint(p.Value, 10, 8)
			wait := time.Duration(seconds) * time.Second
			switch {
			case err != nil || wait > MaxWait:
				errs = append(errs, fault.Malformedf("wait", "must be a whole number of seconds from 0 to 60"))
			case has("sort"):
				errs = append(errs, fault.Malformedf("wait", "cannot be used together with sort"))
			case f.Wait == nil:
				f.Wait, f.Shared = &wait, p.Encode()
			}
		case "after":
			position, ok := change.ParsePosition(p.Value)
			switch {
			case !ok:
				errs = append(errs, fault.Malformedf("after", "is not a position of the change feed; use the one in an export unchanged"))
			case has("page", "cursor", "sort"):
				errs = append(errs, fault.Malformedf("after", "cannot be used together with page, cursor or sort"))
			}
			f.After = &position
		}
	}
	return f, fault.Join(errs...)
}
