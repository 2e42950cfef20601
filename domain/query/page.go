package query

import "math"

// The default and the maximum number of rows of a page.
const (
	DefaultLimit = 25
	MaxLimit     = 1000
)

// Page selects a part of a list by the number of the page and the number of rows of each page. The
// zero Page is the first page with the default limit.
type Page struct {
	number int64
	limit  int
}

// NewPage returns the page with the given number (from 1) of a list with limit rows on each page. A
// number below 1 becomes 1. A limit below 1 becomes the default limit, and a limit above MaxLimit
// becomes MaxLimit.
func NewPage(number int64, limit int) Page {
	if limit < 1 {
		limit = DefaultLimit
	}
	return Page{number: max(number, 1), limit: min(limit, MaxLimit)}
}

// Number returns the 1-based number of the page.
func (p Page) Number() int64 { return max(p.number, 1) }

// Limit returns the number of rows of a full page, 1 to MaxLimit.
func (p Page) Limit() int {
	if p.limit == 0 {
		return DefaultLimit
	}
	return p.limit
}

// Offset returns the number of rows before the page, but at most 2^53, which is larger than any
// list and cannot overflow.
func (p Page) Offset() int64 {
	const far = 1 << 53
	before := p.Number() - 1
	if before > far/int64(p.Limit()) {
		return far
	}
	return before * int64(p.Limit())
}

// AllRows returns a page that is large enough for every list. It is only for internal code, not for
// requests of clients.
func AllRows() Page { return Page{number: 1, limit: math.MaxInt32} }
