package lyceum

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// Filter is a condition on the records of a list: an attribute with a predicate, or several filters
// joined by And or Or. The attributes of related records have names such as person.id.
type Filter interface {
	// encode adds the query parameters of the filter to the values in to. The names of the
	// parameters begin with prefix.
	encode(prefix string, to url.Values) error
}

// Eq returns a filter that is true if the attribute equals the value: a string, number, bool or
// time.
func Eq(attribute string, value any) Filter { return predicate{attribute, "eq", value} }

// NotEq returns a filter that is true if the attribute has a value other than the given value.
func NotEq(attribute string, value any) Filter { return predicate{attribute, "not_eq", value} }

// Lt returns a filter that is true if the attribute is less than the value.
func Lt(attribute string, value any) Filter { return predicate{attribute, "lt", value} }

// LtEq returns a filter that is true if the attribute is at most the value.
func LtEq(attribute string, value any) Filter { return predicate{attribute, "lteq", value} }

// Gt returns a filter that is true if the attribute is greater than the value.
func Gt(attribute string, value any) Filter { return predicate{attribute, "gt", value} }

// GtEq returns a filter that is true if the attribute is at least the value.
func GtEq(attribute string, value any) Filter { return predicate{attribute, "gteq", value} }

// Cont returns a filter that is true if the attribute contains the text, ignoring case and accents.
func Cont(attribute, text string) Filter { return predicate{attribute, "cont", text} }

// NotCont returns a filter that is true if the attribute has a value that does not contain the
// text, ignoring case and accents.
func NotCont(attribute, text string) Filter { return predicate{attribute, "not_cont", text} }

// Start returns a filter that is true if the attribute starts with the text, ignoring case and
// accents.
func Start(attribute, text string) Filter { return predicate{attribute, "start", text} }

// End returns a filter that is true if the attribute ends with the text, ignoring case and accents.
func End(attribute, text string) Filter { return predicate{attribute, "end", text} }

// Null returns a filter that selects the records without a value of the attribute if null is true,
// and otherwise the records with a value.
func Null(attribute string, null bool) Filter { return predicate{attribute, "null", null} }

// In returns a filter that is true if the attribute equals one of the values. There must be at
// least one value; otherwise the list returns an error.
func In[V any](attribute string, values ...V) Filter { return several(attribute, "in", values) }

// NotIn returns a filter that is true if the attribute has a value other than the given values.
// There must be at least one value; otherwise the list returns an error.
func NotIn[V any](attribute string, values ...V) Filter { return several(attribute, "not_in", values) }

// And returns a filter that is true if all given filters are true.
func And(filters ...Filter) Filter { return group{"and", filters} }

// Or returns a filter that is true if at least one of the given filters is true.
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

// encode returns an error if there are no values, because a filter without parameters would select
// every record.
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

// text returns a value in the form that the API accepts.
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
