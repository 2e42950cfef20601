package documents

import (
	"encoding/json"

	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/property"
)

// Properties returns the value of the attribute "properties", with every property that the school
// has defined. If the school has defined none, Properties returns nil, so that the attribute is
// omitted.
func Properties(v property.Values, defined []string) json.RawMessage {
	if len(defined) == 0 {
		return nil
	}
	return json.RawMessage(v.Document(defined))
}

// ReadProperties reads the attribute "properties" of a document.
func ReadProperties(d *request.Document) property.Changes {
	sent := d.Attributes[property.Field]
	if sent.Absent() {
		return property.Changes{}
	}
	members := d.Object(property.Field, sent)
	return property.Changes{Sent: RawProperties(members)}
}
