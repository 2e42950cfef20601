package property

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"lyceum/domain/decimal"
)

// JSON returns the values as a JSON object, in the order of the names.
func (v Values) JSON() string { return v.Document(nil) }

// Document returns the values as a JSON object that also has the given names, sorted, with null for
// those without a value.
func (v Values) Document(names []string) string {
	var b strings.Builder
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

func writeText(b *strings.Builder, s string) {
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // never fails for a string
	b.Write(bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
}

var errJSON = errors.New("property: not an object of texts, numbers and booleans")

// ParseJSON returns the values in a JSON object such as JSON returns.
func ParseJSON(object []byte) (Values, error) {
	sent, err := ParseSent(object)
	if err != nil {
		return Values{}, err
	}
	list := make([]Property, 0, len(sent))
	for name, r := range sent {
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

// ParseSent returns the members of a JSON object as sent properties.
func ParseSent(object []byte) (map[string]Raw, error) {
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&members); err != nil || members == nil {
		return nil, errJSON
	}
	sent := make(map[string]Raw, len(members))
	for name, member := range members {
		switch m := member.(type) {
		case nil:
			sent[name] = Raw{}
		case string:
			sent[name] = RawText(m)
		case json.Number:
			sent[name] = RawNumber(m.String())
		case bool:
			sent[name] = RawBoolean(m)
		default:
			sent[name] = RawOther()
		}
	}
	return sent, nil
}
