package school

import "lyceum/domain/fault"

// Scope is what a key may do in its school. Each scope includes the lower ones; the zero Scope
// includes nothing.
type Scope struct{ rank uint8 }

// The scopes, from the lowest.
var (
	Read  = Scope{1} // read the school's records
	Write = Scope{2} // also change them
	Admin = Scope{3} // also administer the school: its settings and its API keys
)

var scopeNames = [...]string{"", "read", "write", "admin"}

// Scopes returns every scope, the lowest first.
func Scopes() []Scope { return []Scope{Read, Write, Admin} }

// ParseScope returns the scope with the given name.
func ParseScope(name string) (Scope, error) {
	for _, s := range Scopes() {
		if s.String() == name {
			return s, nil
		}
	}
	return Scope{}, fault.Invalidf("scope", "must be one of: read, write, admin")
}

// String returns the scope's name.
func (s Scope) String() string { return scopeNames[s.rank] }

// IsZero reports whether s is the zero value, which is not a scope.
func (s Scope) IsZero() bool { return s == Scope{} }

// Includes reports whether s is at least the scope needed. No scope includes the zero Scope, so
// that a request to an operation that does not declare its scope is refused.
func (s Scope) Includes(needed Scope) bool { return !needed.IsZero() && s.rank >= needed.rank }

// Check returns nil if s includes needed, and otherwise a Forbidden fault that says what the key
// may do.
func (s Scope) Check(needed Scope) error {
	if s.Includes(needed) {
		return nil
	}
	may := map[Scope]string{Read: "only read", Write: "only read and write"}[s]
	if may == "" {
		may = "do nothing here"
	}
	return fault.Forbiddenf("This API key may %s; the scope %s is required", may, needed)
}
