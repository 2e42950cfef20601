package httpapi

import (
	"errors"
	"strconv"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// attribute returns an attribute of the document, nil when it is absent. read
// makes a T of it, the zero one of null; what it cannot read it returns a fault
// for, which is noted.
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

// text returns a text attribute, nil when it is absent. The domain decides
// whether a blank one, which null is too, will do.
func (d *document) text(name string) *string { return attribute(d, name, textOf) }

// newText is text for a resource that is made: what is absent is blank.
func (d *document) newText(name string) string {
	if s := d.text(name); s != nil {
		return *s
	}
	return ""
}

func textOf(name string, v jsonapi.Value) (string, error) {
	s, ok := v.Text()
	if !ok && !unset(v) {
		return "", fault.Invalidf(name, "must be a string")
	}
	return s, nil
}

// truth returns an attribute that is true or false, nil when it is absent.
func (d *document) truth(name string) *bool { return attribute(d, name, truthOf) }

// numberOf returns a number as the document writes it.
func numberOf(name string, v jsonapi.Value) (string, error) {
	number, ok := v.Number()
	switch {
	case unset(v):
		return "", fault.Blank(name)
	case !ok:
		return "", fault.Invalidf(name, "must be a number")
	}
	return number, nil
}

// wholeOf returns a whole number. One that does not fit is the nearest that
// does: the domain, which knows the bounds, tells them.
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

// truthOf returns whether something is so.
func truthOf(name string, v jsonapi.Value) (bool, error) {
	truth, ok := v.Bool()
	switch {
	case unset(v):
		return false, fault.Blank(name)
	case !ok:
		return false, fault.Invalidf(name, "must be true or false")
	}
	return truth, nil
}
