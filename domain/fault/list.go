package fault

import (
	"errors"
	"fmt"
	"strings"
)

// List is several faults as one error, so that a client can fix them all at once.
type List []*Fault

// Error returns the texts of all faults, one after another.
func (l List) Error() string {
	parts := make([]string, len(l))
	for i, f := range l {
		parts[i] = f.Error()
	}
	return strings.Join(parts, "; ")
}

// Unwrap lets errors.As and errors.Is examine each fault.
func (l List) Unwrap() []error {
	errs := make([]error, len(l))
	for i, f := range l {
		errs[i] = f
	}
	return errs
}

// Join returns all faults in errs as one error, or nil if there are none. If one of errs is not a
// refusal, Join returns the first such error alone and unchanged, so that a fault never hides a
// defect or an outage.
func Join(errs ...error) error {
	var all List
	for _, err := range errs {
		if err == nil {
			continue
		}
		if !IsRefusal(err) {
			return err
		}
		all = append(all, All(err)...)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// All unwraps err and returns the faults that it consists of, or nil if err is nil or not a fault.
func All(err error) []*Fault {
	if list, ok := errors.AsType[List](err); ok {
		return list
	}
	if one, ok := errors.AsType[*Fault](err); ok {
		return []*Fault{one}
	}
	return nil
}

// Is reports whether err consists of faults and the first of them is of kind k.
func Is(err error, k Kind) bool {
	all := All(err)
	return len(all) > 0 && all[0].Kind == k
}

// IsRefusal reports whether err rejects the request: it consists of faults, and none of them is
// Unavailable or Full. (An outage can also be reported as a fault, so All cannot distinguish the
// two.) A caller that collects refusals, or continues after one, must return every other error at
// once, because the value returned with such an error is undefined. A nil error is not a refusal.
func IsRefusal(err error) bool {
	all := All(err)
	for _, f := range all {
		if f.Kind == Unavailable || f.Kind == Full {
			return false
		}
	}
	return len(all) > 0
}

// AtRow returns err with each of its faults pointing at the i-th element (0-based) of a list. An
// error that is not a refusal is returned unchanged.
func AtRow(err error, i int) error {
	return each(err, func(f *Fault) *Fault { return f.AtRow(i) })
}

// InPath returns err with path put before the field of each of its faults: with the path people[3],
// the field name becomes people[3].name. A row becomes an index of path: with the path people, the
// field name of the fourth row also becomes people[3].name.
func InPath(path string, err error) error {
	return each(err, func(f *Fault) *Fault {
		c := *f
		at := path
		if f.Row > 0 {
			at, c.Row = fmt.Sprintf("%s[%d]", path, f.Row-1), 0
		}
		c.Field = strings.TrimSuffix(at+"."+f.Field, ".")
		return &c
	})
}

// OnField returns err with the field of each of its faults replaced by field.
func OnField(field string, err error) error {
	return each(err, func(f *Fault) *Fault {
		c := *f
		c.Field = field
		return &c
	})
}

// AtBlank returns err with field as the field of each fault that has none.
func AtBlank(field string, err error) error {
	return each(err, func(f *Fault) *Fault {
		if f.Field != "" {
			return f
		}
		c := *f
		c.Field = field
		return &c
	})
}

func each(err error, change func(*Fault) *Fault) error {
	if !IsRefusal(err) {
		return err
	}
	all := All(err)
	changed := make([]error, len(all))
	for i, f := range all {
		changed[i] = change(f)
	}
	return Join(changed...)
}
