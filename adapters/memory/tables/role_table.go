package tables

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/ports"
)

// Roles contains the enrollments or the memberships of a school: records R that give a person a
// role in a course or group. They are immutable.
type Roles[R any] struct {
	ordered.Records[*R]
	ByRole ordered.Tree[*R] // in the order of byRole
	role   func(*R) Role
	noun   string
}

// Role identifies a record of Roles.
type Role struct {
	Person uuid.UUID
	Name   string
	Target uuid.UUID // id of the course or group
}

// NewRoles returns an empty table of the given records. of returns the role of a record, and noun
// names the records in errors.
func NewRoles[R any](noun string, records ordered.Records[*R], of func(*R) Role) Roles[R] {
	return Roles[R]{records, ordered.NewTree(byRole(of)), of, noun}
}

// byRole returns a function that compares records by person, role name, and course or group.
func byRole[R any](of func(*R) Role) func(a, b *R) int {
	return func(a, b *R) int {
		x, y := of(a), of(b)
		if c := ordered.CompareIDs(x.Person, y.Person); c != 0 {
			return c
		}
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		return ordered.CompareIDs(x.Target, y.Target)
	}
}

// Copy returns a table with the same records that can be changed independently.
func (t Roles[R]) Copy() Roles[R] {
	t.Records, t.ByRole = t.Records.Copy(), t.ByRole.Copy()
	return t
}

// Add inserts the records of rs whose roles do not exist yet and returns them in the order of
// byRole. If the id of one of these records exists, Add inserts nothing and returns ErrExists.
func (t Roles[R]) Add(rs []*R) ([]*R, error) {
	fresh, ids := ordered.NewTree(byRole(t.role)), map[uuid.UUID]bool{}
	for _, r := range rs {
		_, kept := t.ByRole.Get(r)
		if _, twice := fresh.Get(r); kept || twice {
			continue
		}
		id := t.ID(r)
		if t.Has(id) || ids[id] {
			return nil, fmt.Errorf("memory: %s: %w: %s", t.noun, ports.ErrExists, id)
		}
		ids[id] = true
		fresh.Set(r)
	}
	added := fresh.Items()
	for _, r := range added {
		t.Set(r)
		t.ByRole.Set(r)
	}
	return added, nil
}

// Withdraw removes the records that have the same roles as the records in wanted. It returns the
// removed records.
func (t Roles[R]) Withdraw(wanted []*R) []*R {
	var removed []*R
	for _, w := range wanted {
		if r, ok := t.ByRole.Delete(w); ok {
			t.Records.Remove(r)
			removed = append(removed, r)
		}
	}
	return removed
}

// Mapped returns of(id) for each id.
func Mapped[K, R any](ids []K, of func(K) R) []R {
	rs := make([]R, len(ids))
	for i, id := range ids {
		rs[i] = of(id)
	}
	return rs
}
