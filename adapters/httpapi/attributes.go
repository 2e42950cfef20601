package httpapi

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// attribute returns an attribute of the document as read returns it, nil if it is
// absent. A fault that read returns is noted.
func attribute[T any](d *document, name string, read func(name string, v jsonapi.Value) (T, error)) *T {
	sent := d.attributes[name]
	if sent.Absent() {
		return nil
	}
	value, err := read(name, sent)
	if err != nil {
		d.fail(err)
	}
	return &value
}

// text returns a text attribute, nil if it is absent. The domain decides whether it
// may be blank, as null is.
func (d *document) text(name string) *string { return attribute(d, name, textOf) }

// newText is text for a new resource: an absent attribute is blank.
func (d *document) newText(name string) string {
	if s := d.text(name); s != nil {
		return *s
	}
	return ""
}

// textOf returns a text, blank if it is absent or null.
func textOf(name string, v jsonapi.Value) (string, error) {
	s, ok := v.Text()
	if !ok && !v.NullOrAbsent() {
		return "", fault.Invalidf(name, "must be a string")
	}
	return s, nil
}

// clean reports whether no fault is noted on an attribute.
func (d *document) clean(name string) bool {
	return !slices.ContainsFunc(fault.All(fault.Join(d.faults...)), func(f *fault.Fault) bool { return f.Field == name })
}

// truth returns an attribute that is true or false, nil if it is absent.
func (d *document) truth(name string) *bool { return attribute(d, name, truthOf) }

// numberOf returns a number in JSON's notation, which the document has.
func numberOf(name string, v jsonapi.Value) (string, error) {
	number, ok := v.Number()
	switch {
	case v.NullOrAbsent():
		return "", fault.Blank(name)
	case !ok:
		return "", fault.Invalidf(name, "must be a number")
	}
	return number, nil
}

// wholeOf returns a whole number. One that does not fit is the nearest that does: the
// domain, which knows the bounds, names them.
func wholeOf(name string, v jsonapi.Value) (int64, error) {
	number, err := numberOf(name, v)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fault.Invalidf(name, "must be a whole number, written in digits")
	}
	return n, nil
}

// truthOf returns true or false.
func truthOf(name string, v jsonapi.Value) (bool, error) {
	truth, ok := v.Bool()
	switch {
	case v.NullOrAbsent():
		return false, fault.Blank(name)
	case !ok:
		return false, fault.Invalidf(name, "must be true or false")
	}
	return truth, nil
}

// moment returns an attribute that is a date and time, nil if it is absent or null.
func (d *document) moment(name string) *time.Time {
	if d.attributes[name].NullOrAbsent() {
		return nil
	}
	return attribute(d, name, momentOf)
}

// momentOf returns a date and time.
func momentOf(name string, v jsonapi.Value) (time.Time, error) {
	s, _ := v.Text()
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fault.Invalidf(name, "must be a date and time, such as 2026-01-02T15:04:05.123Z")
	}
	return at, nil
}

// textsOf returns a text, or several in an array.
func textsOf(name string, v jsonapi.Value) ([]string, error) {
	elements, ok := v.Array()
	if !ok {
		elements = []jsonapi.Value{v}
	}
	texts := make([]string, len(elements))
	for i, e := range elements {
		s, ok := e.Text()
		if !ok {
			return nil, fault.Invalidf(name, "must be a string or an array of strings")
		}
		if err := text.Clean(name, s); err != nil {
			return nil, err
		}
		texts[i] = s
	}
	return texts, nil
}

// uuidOf returns the id of a record, zero if it is absent, null or blank.
func uuidOf(name string, v jsonapi.Value) (uuid.UUID, error) {
	s, err := textOf(name, v)
	if err != nil || s == "" {
		return uuid.Nil, err
	}
	id, ok := text.UUID(s)
	if !ok {
		return uuid.Nil, fault.Invalidf(name, "is not a UUID")
	}
	return id, nil
}
