package teaching

import (
	"net/url"

	"lyceum/domain/property"
)

// propertyData is a property of a record.
type propertyData struct{ Name, Value string }

// propertiesOf returns the properties of a record, for a page.
func propertiesOf(values property.Values) []propertyData {
	var shown []propertyData
	for _, one := range values.All() {
		shown = append(shown, propertyData{one.Name, one.Value.String()})
	}
	return shown
}

// propertyField is the field of a form for a property that the school has defined.
type propertyField struct {
	property.State
	Value string
}

// Control returns the name of the field, which is the field of faults about the property.
func (f propertyField) Control() string { return property.Field + "." + f.Name }

// Type returns the type of the input of a property that is not chosen from a list.
func (f propertyField) Type() string {
	if f.Kind == property.Date {
		return "date"
	}
	return "text"
}

// Choices returns the values of a property that is chosen from a list, or nil.
func (f propertyField) Choices() []string {
	if f.Kind == property.Boolean {
		return []string{"true", "false"}
	}
	return f.Options
}

// propertyFields returns the fields for the properties of a resource, with the values of a record.
func (x *siteRequest) propertyFields(r property.Resource, values property.Values) ([]propertyField, error) {
	defined, err := x.site.app.DefinedProperties(x.r.Context(), x.staff, r)
	fields := make([]propertyField, len(defined))
	for i, d := range defined {
		fields[i] = propertyField{d, values.Get(d.Name).String()}
	}
	return fields, err
}

// sentProperties returns the fields for the properties of a resource with the values that were
// sent, and the changes that the form asks for.
func (x *siteRequest) sentProperties(r property.Resource, form url.Values) ([]propertyField, property.Changes, error) {
	fields, err := x.propertyFields(r, property.Values{})
	sent := map[string]property.Raw{}
	for i, f := range fields {
		if form.Has(f.Control()) {
			fields[i].Value = form.Get(f.Control())
			sent[f.Name] = property.RawCell(fields[i].Value)
		}
	}
	return fields, property.Changes{Sent: sent}, err
}
