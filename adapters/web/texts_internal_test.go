package web

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
)

var verb = regexp.MustCompile("%[sd]")

// Every language has every text, with the same placeholders in the same order.
func TestCatalogIsComplete(t *testing.T) {
	for _, texts := range catalog {
		compare(t, texts.Lang, reflect.ValueOf(*texts), reflect.ValueOf(*catalog[0]))
		if texts.date == nil {
			t.Errorf("%s: no format of dates", texts.Lang)
		}
	}
}

// compare compares the texts of a struct with those of the first language.
func compare(t *testing.T, language string, texts, first reflect.Value) {
	t.Helper()
	for i := range texts.NumField() {
		switch f := texts.Field(i); f.Kind() {
		case reflect.Struct:
			compare(t, language, f, first.Field(i))
		case reflect.String:
			text := f.String()
			if text == "" || !slices.Equal(verb.FindAllString(text, -1), verb.FindAllString(first.Field(i).String(), -1)) {
				t.Errorf("%s: the text %s is %q", language, texts.Type().Field(i).Name, text)
			}
		}
	}
}
