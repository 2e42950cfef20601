package change

import (
	"strconv"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// Position is a position in a change feed. A reader continues with the changes after it.
type Position struct {
	Store  uuid.UUID // see Feed
	Number int64     // position of a Change, or 0 for the start of the feed
}

// Last returns the position after which a reader finds the changes that are not readable yet.
func (f Feed) Last() Position { return Position{Store: f.Store, Number: f.End} }

// String returns the position as clients send it: the store and the number, joined by a colon.
func (p Position) String() string {
	return p.Store.String() + ":" + strconv.FormatInt(p.Number, 10)
}

// ParsePosition parses the result of String. It reports false if s is not a position.
func ParsePosition(s string) (Position, bool) {
	store, number, _ := strings.Cut(s, ":")
	id, ok := text.UUID(store)
	n, err := strconv.ParseUint(number, 10, 63)
	return Position{Store: id, Number: int64(n)}, ok && err == nil
}

// Parse parses a position of the feed: a result of Position.String for this storage, or the ID of a
// change. It reports false if s is neither.
func (f Feed) Parse(s string) (position int64, ok bool) {
	if p, ok := ParsePosition(s); ok {
		return p.Number, p.Store == f.Store
	}
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err == nil
}
