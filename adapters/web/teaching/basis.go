package teaching

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// basis is the part of a form that prevents lost updates. A form contains the version of the record
// from which it was made. If the record has another version when the form is sent, the change is
// refused, and the form is shown with what the person has typed and with the stored values.
type basis struct {
	Version string       // of the record; blank: a new record
	Stale   bool         // whether the record was changed after the form was made
	Stored  []shownValue // the stored values that differ from those in the form
	Reload  string       // path of the page with the stored values
}

// shownValue is a value of a form as a page shows it.
type shownValue struct {
	Label string // translated
	Value string
}

// versionField is the name of the field with the version.
const versionField = "version"

var errStale = fault.Conflictf("", "This record was changed after you opened the form. Nothing was saved")

// versionOf returns the version of a record with the given values.
func versionOf(values ...any) string {
	h := sha256.New()
	_ = json.NewEncoder(h).Encode(values) // a hash accepts everything, and all values have a JSON form
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// unchanged returns a check that a record still has the version in a form. A form without a version
// passes it.
func unchanged[T any](form url.Values, version func(T) string) func(T) error {
	shown := form.Get(versionField)
	return func(now T) error {
		if shown != "" && shown != version(now) {
			return errStale
		}
		return nil
	}
}

func isStale(err error) bool { return errors.Is(err, errStale) }

// staleBasis returns the basis of a form that was refused because the record was changed.
func staleBasis(version, reload string, stored, typed []shownValue) basis {
	b := basis{Version: version, Stale: true, Reload: reload}
	for i, value := range stored {
		if i >= len(typed) || typed[i] != value {
			b.Stored = append(b.Stored, value)
		}
	}
	return b
}

// propertyValues returns what a version contains of the properties of a record.
func propertyValues(values property.Values) [][2]string {
	var all [][2]string
	for _, one := range values.All() {
		all = append(all, [2]string{one.Name, one.Value.String()})
	}
	return all
}

// withProperties adds the values of properties to those of a form.
func withProperties(values []shownValue, fields []propertyField) []shownValue {
	for _, f := range fields {
		values = append(values, shownValue{f.Name, f.Value})
	}
	return values
}

// chosenNames returns the names of the chosen records.
func chosenNames(all []related) string {
	var names []string
	for _, r := range all {
		if r.Chosen {
			names = append(names, r.Name)
		}
	}
	return strings.Join(names, ", ")
}
