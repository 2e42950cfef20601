package httpapi

import (
	"slices"

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

// check returns all that is wrong with the document. When something is, it asks
// rules, which apply the domain's rules to the attributes, so that a client
// learns of everything at once; else the use case will.
func (d *document) check(rules func() error) error {
	if len(d.faults) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, f := range fault.All(fault.Join(d.faults...)) {
		known[f.Field] = true
	}
	broken := slices.DeleteFunc(slices.Clone(fault.All(rules())), func(f *fault.Fault) bool { return known[f.Field] })
	for _, f := range broken {
		d.fail(f)
	}
	return fault.Join(d.faults...)
}
