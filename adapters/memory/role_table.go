package memory

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/ports"
)

// roleTable contains the enrollments or the memberships of a school: records R that give a person a
// role in a course or group. They are immutable.
type roleTable[R any] struct {
	ordered.Records[*R]
	roles ordered.Tree[*R] // in the order of byRole
	role  func(*R) role
	noun  string
}

// role identifies a record of a roleTable.
type role struct {
	person uuid.UUID
	name   string
	target uuid.UUID // id of the course or group
}

func newRoleTable[R any](noun string, records ordered.Records[*R], of func(*R) role) roleTable[R] {
	return roleTable[R]{records, ordered.NewTree(byRole(of)), of, noun}
}

// byRole returns a function that compares records by person, role name, and course or group.
func byRole[R any](of func(*R) role) func(a, b *R) int {
	return func(a, b *R) int {
		x, y := of(a), of(b)
		if c := ordered.CompareIDs(x.person, y.person); c != 0 {
			return c
		}
		if c := strings.Compare(x.name, y.name); c != 0 {
			return c
		}
		return ordered.CompareIDs(x.target, y.target)
	}
}

// Copy returns a table with the same records that can be changed independently.
func (t roleTable[R]) Copy() roleTable[R] {
	t.Records, t.roles = t.Records.Copy(), t.roles.Copy()
	return t
}

// add inserts the records of rs whose roles do not exist yet and returns them in the order of
// byRole. If the id of one of these records exists, add inserts nothing and returns ErrExists.
func (t roleTable[R]) add(rs []R) ([]*R, error) {
	fresh, ids := ordered.NewTree(byRole(t.role)), map[uuid.UUID]bool{}
	for _, r := range rs {
		_, kept := t.roles.Get(&r)
		if _, twice := fresh.Get(&r); kept || twice {
			continue
		}
		id := t.ID(&r)
		if t.Has(id) || ids[id] {
			return nil, fmt.Errorf("memory: %s: %w: %s", t.noun, ports.ErrExists, id)
		}
		ids[id] = true
		fresh.Set(&r)
	}
	added := fresh.Items()
	for _, r := range added {
		t.Set(r)
		t.roles.Set(r)
	}
	return added, nil
}

// remove removes the records that have the same roles as the records in wanted. It returns the
// removed records.
func (t roleTable[R]) remove(wanted []*R) []*R {
	var removed []*R
	for _, w := range wanted {
		if r, ok := t.roles.Delete(w); ok {
			t.Remove(r)
			removed = append(removed, r)
		}
	}
	return removed
}

// mapped returns of(id) for each id.
func mapped[K, R any](ids []K, of func(K) R) []R {
	rs := make([]R, len(ids))
	for i, id := range ids {
		rs[i] = of(id)
	}
	return rs
}
