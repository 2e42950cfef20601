package property

import (
	"errors"
	"fmt"
	"strings"

	"lyceum/domain/decimal"
)

// JSON returns the values as a JSON object, in the order of the names.
func (v Values) JSON() string { return v.Document(nil) }

// Document returns the values as a JSON object, sorted by name. A name in names that has no value
// is included as null. names must be sorted.
func (v Values) Document(names []string) string {
	var b strings.Builder
	b.Grow(v.size())
	b.WriteByte('{')
	rest := v.All()
	add := func(name string, value Value) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		writeText(&b, name)
		b.WriteByte(':')
		value.writeJSON(&b)
	}
	for _, name := range names {
		for len(rest) > 0 && rest[0].Name < name {
			add(rest[0].Name, rest[0].Value)
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0].Name == name {
			continue
		}
		add(name, Value{})
	}
	for _, p := range rest {
		add(p.Name, p.Value)
	}
	b.WriteByte('}')
	return b.String()
}

// JSON returns v as a JSON value.
func (v Value) JSON() string {
	var b strings.Builder
	v.writeJSON(&b)
	return b.String()
}

func (v Value) writeJSON(b *strings.Builder) {
	switch v.form {
	case 0:
		b.WriteString("null")
	case textForm:
		writeText(b, v.text)
	default:
		b.WriteString(v.String())
	}
}

// size returns the approximate number of bytes of v as JSON.
func (v Values) size() int {
	const perValue = 16 // quotation marks, separators, numbers
	n := 2
	if v.list != nil {
		for _, p := range *v.list {
			n += len(p.Name) + len(p.Value.text) + perValue
		}
	}
	return n
}

// writeText writes s, which must be valid UTF-8, as a JSON string.
func writeText(b *strings.Builder, s string) {
	b.WriteByte('"')
	begin := 0 // start of the bytes that are not written yet
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b.WriteString(s[begin:i])
		begin = i + 1
		if c < ' ' {
			fmt.Fprintf(b, `\u%04x`, c)
		} else {
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	b.WriteString(s[begin:])
	b.WriteByte('"')
}

var errJSON = errors.New("property: not an object of texts, numbers and booleans")

// ValuesOf returns the values in a JSON object that Values.JSON returned. members contains the
// members of the object, as for RawsOf. ValuesOf returns an error if a member is an array or an
// object, or a number that ExactNumber rejects.
func ValuesOf(members map[string]any) (Values, error) {
	list := make([]Property, 0, len(members))
	for name, r := range RawsOf(members) {
		p := Property{Name: name}
		switch r.form {
		case rawText:
			p.Value = TextValue(r.text)
		case rawBoolean:
			p.Value = BooleanValue(r.truth)
		case rawNumber:
			n, ok := decimal.Parse(r.text, maxNotation, maxNotation)
			if ok {
				p.Value, ok = ExactNumber(n)
			}
			if !ok {
				return Values{}, errJSON
			}
		case rawOther:
			return Values{}, errJSON
		}
		list = append(list, p)
	}
	return NewValues(list...), nil
}

// RawsOf returns the members of a JSON object as properties that a client sent. A number must be a
// fmt.Stringer that returns the number as it was sent, such as a json.Number.
func RawsOf(members map[string]any) map[string]Raw {
	sent := make(map[string]Raw, len(members))
	for name, member := range members {
		switch m := member.(type) {
		case nil:
			sent[name] = Raw{}
		case string:
			sent[name] = RawText(m)
		case bool:
			sent[name] = RawBoolean(m)
		case fmt.Stringer:
			sent[name] = RawNumber(m.String())
		default:
			sent[name] = RawOther()
		}
	}
	return sent
}
