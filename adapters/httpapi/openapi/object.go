package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml"
)

// object is an object of the document. Its members keep their order in the file.
type object []member

type member struct {
	Key   string
	Value any // object, []any, or a plain value
}

// parse parses a YAML text that is an object.
func parse(text []byte) (object, error) {
	var m yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &m, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	return convert(m).(object), nil
}

// convert converts a value of the YAML parser to a value of this package: a map becomes an object.
func convert(v any) any {
	switch v := v.(type) {
	case yaml.MapSlice:
		o := make(object, len(v))
		for i, item := range v {
			o[i] = member{Key: fmt.Sprint(item.Key), Value: convert(item.Value)}
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = convert(v[i])
		}
		return list
	}
	return v
}

// get returns the value of a member, or nil if it does not exist.
func (o object) get(key string) any {
	for _, m := range o {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// object returns the value of a member that is an object, or nil if it does not exist.
func (o object) object(key string) object {
	inner, _ := o.get(key).(object)
	return inner
}

// set returns o with the member replaced, or appended if it does not exist. It may modify o.
func (o object) set(key string, value any) object {
	for i := range o {
		if o[i].Key == key {
			o[i].Value = value
			return o
		}
	}
	return append(o, member{key, value})
}

// with returns o, extended by those members of the object others whose keys o lacks.
func (o object) with(others object) object {
	for _, m := range others {
		if o.get(m.Key) == nil {
			o = append(o, m)
		}
	}
	return o
}

// merge returns the members of a and b. If both have an object under the same key, the objects are
// merged. If they have different values of another type under the same key, merge returns an error.
func merge(a, b object) (object, error) {
	for _, m := range b {
		old := a.get(m.Key)
		if old == nil {
			a = append(a, m)
			continue
		}
		inner, ok := old.(object)
		further, both := m.Value.(object)
		if !ok || !both {
			return nil, fmt.Errorf("%s is defined twice", m.Key)
		}
		merged, err := merge(inner, further)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Key, err)
		}
		a = a.set(m.Key, merged)
	}
	return a, nil
}

// rewrite returns a copy of v in which each text is replaced with the result of change. key is the
// key of the member whose value is the text or a list that contains the text.
func rewrite(v any, change func(key, text string) string) any {
	return rewriteUnder("", v, change)
}

func rewriteUnder(key string, v any, change func(key, text string) string) any {
	switch v := v.(type) {
	case object:
		o := make(object, len(v))
		for i, m := range v {
			o[i] = member{m.Key, rewriteUnder(m.Key, m.Value, change)}
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = rewriteUnder(key, v[i], change)
		}
		return list
	case string:
		return change(key, v)
	}
	return v
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
