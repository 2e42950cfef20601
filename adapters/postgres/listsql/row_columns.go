package listsql

import (
	"reflect"
	"strings"
)

// RowColumns returns a select list: the columns of the table r for the fields of R.
func RowColumns[R any]() string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		if name := f.Tag.Get("db"); name != "" {
			names = append(names, "r."+name)
		}
	}
	return strings.Join(names, ", ")
}
