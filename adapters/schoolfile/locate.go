package schoolfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"lyceum/domain/fault"
)

// locator walks through a file that is well-formed JSON, beside the type that it
// was read into.
type locator struct {
	*json.Decoder
	data    []byte
	counted int // how far lines were counted
	line    int // the line there
	lines   map[string]int
	wrong   []*fault.Fault
}

// locate returns the line of each part of data, by its place, and what is wrong
// with the names of members: those that doc, a pointer to what data was read
// into, does not have, and those that stand twice.
func locate(data []byte, doc any) (map[string]int, []*fault.Fault) {
	l := &locator{
		Decoder: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1, lines: map[string]int{},
	}
	l.value("", reflect.TypeOf(doc).Elem())
	return l.lines, l.wrong
}

// read returns the next token and goes on to its line.
func (l *locator) read() json.Token {
	token, _ := l.Token() // all of it was read well before
	end := int(l.InputOffset())
	l.line += bytes.Count(l.data[l.counted:end], []byte("\n"))
	l.counted = end
	return token
}

// value walks through the value at place; t is nil inside something unknown.
func (l *locator) value(place string, t reflect.Type) {
	token := l.read()
	l.lines[place] = l.line
	switch token {
	case json.Delim('{'):
		l.object(place, t)
	case json.Delim('['):
		l.array(place, t)
	}
}

func (l *locator) array(place string, t reflect.Type) {
	var element reflect.Type
	if t != nil {
		element = t.Elem()
	}
	for i := 0; l.More(); i++ {
		l.value(fmt.Sprintf("%s[%d]", place, i), element)
	}
	l.read()
}

func (l *locator) object(place string, t reflect.Type) {
	seen := map[string]bool{}
	for l.More() {
		name, _ := l.read().(string)
		member := strings.TrimPrefix(place+"."+name, ".")
		of := memberType(t, name)
		if of == nil && t != nil {
			l.wrong = append(l.wrong, fault.Invalidf(member, "is not a member of a school file"))
		}
		if seen[name] {
			l.wrong = append(l.wrong, fault.Invalidf(member, "stands twice"))
		}
		l.lines[member] = l.line
		seen[name] = true
		l.value(member, of)
	}
	l.read()
}

// memberType returns the type of t's member called name, nil when t has none.
func memberType(t reflect.Type, name string) reflect.Type {
	if t == nil {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for field := range t.Fields() {
		if field.Tag.Get("json") == name {
			return field.Type
		}
	}
	return nil
}
