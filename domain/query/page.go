package query

import "math"

// Bounds of a page.
const (
	DefaultLimit = 25
	MaxLimit     = 1000
)

// Page is a window on a list: the number-th run of limit rows. The zero Page is
// the first page with the default limit.
type Page struct {
	number int64
	limit  int
}

// NewPage returns page number (1 is the first) of limit rows each. A number
// below 1 counts as 1, a limit below 1 as the default, one above MaxLimit as
// MaxLimit.
func NewPage(number int64, limit int) Page {
	if limit < 1 {
		limit = DefaultLimit
	}
	return Page{number: max(number, 1), limit: min(limit, MaxLimit)}
}

// Number returns the page's number, from 1.
func (p Page) Number() int64 { return max(p.number, 1) }

// Limit returns the rows of a full page, 1 to MaxLimit.
func (p Page) Limit() int {
	if p.limit == 0 {
		return DefaultLimit
	}
	return p.limit
}

// Offset returns how many rows stand before the page, at most 2^53: far behind
// any list, and far from where arithmetic ends.
func (p Page) Offset() int64 {
	const far = 1 << 53
	before := p.Number() - 1
	if before > far/int64(p.Limit()) {
		return far
	}
	return before * int64(p.Limit())
}

// Everything is the page that no list is longer than; only code that reads a
// whole list for itself may use it.
func Everything() Page { return Page{number: 1, limit: math.MaxInt32} }
