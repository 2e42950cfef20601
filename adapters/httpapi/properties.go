package httpapi

import (
	"encoding/json"

	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/property"
)

// propertiesOf returns the value of the attribute "properties", with every property that the school
// has defined. If the school has defined none, propertiesOf returns nil, so that the attribute is
// omitted.
func propertiesOf(v property.Values, defined []string) json.RawMessage {
	if len(defined) == 0 {
		return nil
	}
	return json.RawMessage(v.Document(defined))
}

// readProperties reads the attribute "properties" of a document.
func readProperties(d *request.Document) property.Changes {
	sent := d.Attributes[property.Field]
	if sent.Absent() {
		return property.Changes{}
	}
	members := d.Object(property.Field, sent)
	return property.Changes{Sent: documents.RawProperties(members)}
}
