package schoolfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"lyceum/app"
	"lyceum/domain/fault"
)

// File is a school file that was read.
type File struct {
	// Schools are the blueprints of the file's schools, in its order.
	Schools []app.Blueprint

	name  string
	array bool           // the file is an array of schools
	lines map[string]int // the line of each part, by its place such as people[3].email
}

// Parse reads a school file. name stands before errors, each of which names the
// line and the part at fault: school.json:12: people[3].email: …. All errors are
// told, joined by errors.Join, once the file is well-formed JSON of the right
// types.
func Parse(name string, data []byte) (*File, error) {
	f := &File{name: name, array: bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("["))}
	var docs []schoolDoc
	var one schoolDoc
	into := any(&one)
	if f.array {
		into = &docs
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, f.unreadable(data, err)
	}
	if !f.array {
		docs = []schoolDoc{one}
	}
	lines, unknown := locate(data, into)
	f.lines = lines
	errs := []error{f.located(unknown)}
	for i, doc := range docs {
		b, err := blueprint(doc)
		f.Schools = append(f.Schools, b)
		errs = append(errs, f.Explain(i, err))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return f, nil
}

// Explain returns err, which building Schools[i] gave, with the line and the part
// of the file that each of its faults is about. Any other error comes back as it
// is.
func (f *File) Explain(i int, err error) error {
	faults := fault.All(err)
	if faults == nil {
		return err
	}
	placed := make([]*fault.Fault, len(faults))
	for j, one := range faults {
		c := *one
		c.Field = memberOf(c.Field)
		if f.array {
			c.Field = strings.TrimSuffix(fmt.Sprintf("[%d].%s", i, c.Field), ".")
		}
		placed[j] = &c
	}
	return f.located(placed)
}

// memberOf translates the place that a blueprint's fault names into the file's
// words.
func memberOf(field string) string {
	if field == "school" {
		return ""
	}
	return strings.Replace(strings.TrimPrefix(field, "school."), ".places[", ".enrollments[", 1)
}

func (f *File) located(faults []*fault.Fault) error {
	errs := make([]error, len(faults))
	for i, one := range faults {
		errs[i] = fmt.Errorf("%s:%d: %s: %s", f.name, f.line(one.Field), one.Field, one.Detail)
	}
	return errors.Join(errs...)
}

// line returns the line of a part, or of the nearest part around it that is in
// the file: what is absent has no line of its own.
func (f *File) line(place string) int {
	for {
		if n, ok := f.lines[place]; ok {
			return n
		}
		place = place[:max(0, strings.LastIndexAny(place, ".["))]
	}
}

// unreadable says where data is no JSON or has a value of the wrong type.
func (f *File) unreadable(data []byte, err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s:%d: is not JSON: %w", f.name, lineAt(data, syntax.Offset), syntax)
	case errors.As(err, &wrong):
		member := wrong.Field
		if member == "" {
			member = "a school"
		}
		return fmt.Errorf("%s:%d: %s: is of the JSON type %s, which is wrong here",
			f.name, lineAt(data, wrong.Offset), member, wrong.Value)
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

func lineAt(data []byte, offset int64) int {
	return bytes.Count(data[:min(int(offset), len(data))], []byte("\n")) + 1
}
