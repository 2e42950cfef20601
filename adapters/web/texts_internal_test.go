package web

import (
	"reflect"
	"strings"
	"testing"
)

// Every language has every text, with the same number of %s placeholders.
func TestCatalogIsComplete(t *testing.T) {
	first := reflect.ValueOf(*catalog[0])
	for _, texts := range catalog {
		v := reflect.ValueOf(*texts)
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type.Kind() != reflect.String {
				continue
			}
			text, reference := v.Field(i).String(), first.Field(i).String()
			if text == "" || strings.Count(text, "%s") != strings.Count(reference, "%s") {
				t.Errorf("%s: the text %s is %q", texts.Lang, f.Name, text)
			}
		}
		if texts.date == nil {
			t.Errorf("%s: no format of dates", texts.Lang)
		}
	}
}
