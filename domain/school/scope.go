package school

import "lyceum/domain/fault"

// Scope is how much a key may do in its school. Each scope includes those below
// it; the zero one includes nothing.
type Scope struct{ rank uint8 }

// The scopes, from the lowest.
var (
	Read  = Scope{1} // to look at the school's records
	Write = Scope{2} // to change them too
	Admin = Scope{3} // to administer the school itself too: its settings and its keys
)

var scopeNames = [...]string{"", "read", "write", "admin"}

// Scopes returns every scope, the lowest first.
func Scopes() []Scope { return []Scope{Read, Write, Admin} }

// ParseScope returns the scope called name.
func ParseScope(name string) (Scope, error) {
	for _, s := range Scopes() {
		if s.String() == name {
			return s, nil
		}
	}
	return Scope{}, fault.Invalidf("scope", "is not one of read, write, admin")
}

// String returns the scope's name.
func (s Scope) String() string { return scopeNames[s.rank] }

// IsZero tells whether s is no scope at all.
func (s Scope) IsZero() bool { return s == Scope{} }

// Includes tells whether s is needed or a scope above it. Nothing includes the
// zero scope, so that a place which forgets to say what it needs stays closed.
func (s Scope) Includes(needed Scope) bool { return !needed.IsZero() && s.rank >= needed.rank }

// Check returns nil when s includes needed; otherwise it forbids, and says what s
// may do.
func (s Scope) Check(needed Scope) error {
	if s.Includes(needed) {
		return nil
	}
	may := map[Scope]string{Read: "only read", Write: "only read and write"}[s]
	if may == "" {
		may = "do nothing here"
	}
	return fault.Forbiddenf("This key may %s; the scope %s is needed", may, needed)
}
