package lyceum

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// Filter is a condition on the records of a list: an attribute with a predicate, or several filters
// joined by And or Or. Related records are attributes such as person.id.
type Filter interface {
	// encode adds the parameters of the filter; each begins with the prefix.
	encode(prefix string, to url.Values) error
}

// Eq is true if the attribute equals the value: a string, number, bool or time.
func Eq(attribute string, value any) Filter { return predicate{attribute, "eq", value} }

// NotEq is true if the attribute has another value.
func NotEq(attribute string, value any) Filter { return predicate{attribute, "not_eq", value} }

// Lt is true if the attribute is less than the value.
func Lt(attribute string, value any) Filter { return predicate{attribute, "lt", value} }

// LtEq is true if the attribute is at most the value.
func LtEq(attribute string, value any) Filter { return predicate{attribute, "lteq", value} }

// Gt is true if the attribute is greater than the value.
func Gt(attribute string, value any) Filter { return predicate{attribute, "gt", value} }

// GtEq is true if the attribute is at least the value.
func GtEq(attribute string, value any) Filter { return predicate{attribute, "gteq", value} }

// Cont is true if the attribute contains the text, ignoring case and accents.
func Cont(attribute, text string) Filter { return predicate{attribute, "cont", text} }

// NotCont is true if the attribute does not contain the text.
func NotCont(attribute, text string) Filter { return predicate{attribute, "not_cont", text} }

// Start is true if the attribute starts with the text, ignoring case and accents.
func Start(attribute, text string) Filter { return predicate{attribute, "start", text} }

// End is true if the attribute ends with the text, ignoring case and accents.
func End(attribute, text string) Filter { return predicate{attribute, "end", text} }

// Null reports with true the records without the attribute, with false those that have it.
func Null(attribute string, null bool) Filter { return predicate{attribute, "null", null} }

// In is true if the attribute equals one of the values. A list with an In without values fails.
func In[V any](attribute string, values ...V) Filter { return several(attribute, "in", values) }

// NotIn is true if the attribute has a value that is none of the values, of which there must be one.
func NotIn[V any](attribute string, values ...V) Filter { return several(attribute, "not_in", values) }

// And is true if all of the filters are.
func And(filters ...Filter) Filter { return group{"and", filters} }

// Or is true if one of the filters is.
func Or(filters ...Filter) Filter { return group{"or", filters} }

type predicate struct {
	attribute, name string
	value           any
}

func (p predicate) encode(prefix string, to url.Values) error {
	to.Add(fmt.Sprintf("%s[%s][%s]", prefix, p.attribute, p.name), text(p.value))
	return nil
}

type list struct {
	attribute, name string
	values          []string
}

func several[V any](attribute, name string, values []V) Filter {
	l := list{attribute: attribute, name: name}
	for _, v := range values {
		l.values = append(l.values, text(v))
	}
	return l
}

// encode fails without values, since a filter without parameters would find every record.
func (l list) encode(prefix string, to url.Values) error {
	if len(l.values) == 0 {
		return fmt.Errorf("lyceum: the filter %s of %s has no values", l.name, l.attribute)
	}
	for _, v := range l.values {
		to.Add(fmt.Sprintf("%s[%s][%s][]", prefix, l.attribute, l.name), v)
	}
	return nil
}

type group struct {
	name    string
	filters []Filter
}

func (g group) encode(prefix string, to url.Values) error {
	if len(g.filters) == 0 {
		return errors.New("lyceum: a group of filters is empty")
	}
	for i, f := range g.filters {
		if f == nil {
			return errors.New("lyceum: a filter of a group is nil")
		}
		if err := f.encode(fmt.Sprintf("%s[%s][%d]", prefix, g.name, i), to); err != nil {
			return err
		}
	}
	return nil
}

// text returns a value as the API reads it.
func text(value any) string {
	switch v := value.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'f', -1, 32)
	}
	return fmt.Sprint(value)
}
