package jsonapi

// Resource is a resource object. A nil ID, Relationships or Links is omitted; struct{}{} is written
// as an empty object. Attributes must not be nil.
type Resource struct {
	Type          string `json:"type"`
	ID            any    `json:"id,omitempty"` // a string, an integer, or nil
	Attributes    any    `json:"attributes"`
	Relationships any    `json:"relationships,omitempty"`
	Links         any    `json:"links,omitempty"`
}

// Single is the document of one resource. Included is omitted if it is nil.
type Single struct {
	Data     Resource    `json:"data"`
	Included *[]Resource `json:"included,omitempty"`
}

// Note is a document without a resource, with meta only.
type Note struct {
	Meta any `json:"meta"`
}

// Compound is the document of one resource with included resources.
type Compound struct {
	Data     Resource   `json:"data"`
	Included []Resource `json:"included"`
}

// Batch is the document of the resources that one request created. An empty Included is omitted.
type Batch struct {
	Data     []Resource `json:"data"`
	Included []Resource `json:"included,omitempty"`
}

// List is the document of a page of resources. Data must not be nil: an empty page is
// written as an empty array.
type List struct {
	Links    Pages       `json:"links"`
	Data     []Resource  `json:"data"`
	Included *[]Resource `json:"included,omitempty"` // nil: omitted
	Meta     *ListMeta   `json:"meta,omitempty"`     // nil: omitted
}

// ListMeta is the meta of a list whose rows are counted.
type ListMeta struct {
	Total int64 `json:"total"`
}

// Identifier is a resource identifier object.
type Identifier struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// ToOne is a relationship to one resource.
type ToOne struct {
	Data Identifier `json:"data"`
}

// ToMany is a relationship to any number of resources. Many creates it.
type ToMany struct {
	Data []Identifier `json:"data"`
}

// One returns the relationship to the resource of this type and ID.
func One(typ, id string) ToOne {
	return ToOne{Data: Identifier{Type: typ, ID: id}}
}

// Many returns the relationship to resources of one type; an empty array if there are no
// IDs.
func Many(typ string, ids ...string) ToMany {
	data := make([]Identifier, len(ids))
	for i, id := range ids {
		data[i] = Identifier{Type: typ, ID: id}
	}
	return ToMany{Data: data}
}

// Link is a link with the methods that its URL supports. For a link without methods, use a string
// instead.
type Link struct {
	Href    string   `json:"href"`
	Methods []string `json:"methods"` // lowercase
}
