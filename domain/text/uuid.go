package text

import "github.com/google/uuid"

// UUID returns the UUID that s is, and whether s has the one form that names a
// record: 36 characters, hyphens included, in either case. The parser knows
// other forms, some of which may be slugs.
func UUID(s string) (uuid.UUID, bool) {
	const hyphenated = 36
	if len(s) != hyphenated {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
