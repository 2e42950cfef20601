package httpapi

import (
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

func truthOf(name string, v jsonapi.Value) (bool, error) {
	b, ok := v.Bool()
	if !ok {
		return false, fault.Invalidf(name, "must be true or false")
	}
	return b, nil
}
