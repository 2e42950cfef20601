package text

import "github.com/google/uuid"

// UUID parses s and reports whether it is a UUID in canonical form: 36 characters with hyphens, in
// either case. uuid.Parse accepts other forms too, some of which can be slugs.
func UUID(s string) (uuid.UUID, bool) {
	const hyphenated = 36
	if len(s) != hyphenated {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
