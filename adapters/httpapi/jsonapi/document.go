package jsonapi

// Resource is a resource object. Members that are nil are left out; an empty
// object is written for struct{}{}.
type Resource struct {
	Type          string `json:"type"`
	ID            any    `json:"id,omitempty"` // a string, an integer, or nil
	Attributes    any    `json:"attributes"`
	Relationships any    `json:"relationships,omitempty"`
	Links         any    `json:"links,omitempty"`
}

// Single is the document of one resource.
type Single struct {
	Data Resource `json:"data"`
}

// Note is a document without a resource: all that there is to say stands in its
// meta.
type Note struct {
	Meta any `json:"meta"`
}

// Compound is the document of one resource and of others that it refers to.
type Compound struct {
	Data     Resource   `json:"data"`
	Included []Resource `json:"included"`
}

// Batch is the document of resources that were made together. Included is left
// out when there are none.
type Batch struct {
	Data     []Resource `json:"data"`
	Included []Resource `json:"included,omitempty"`
}

// List is the document of a page of resources. Data must not be nil, for an
// empty page is written as an empty array.
type List struct {
	Links    Pages      `json:"links"`
	Data     []Resource `json:"data"`
	Included *Included  `json:"included,omitempty"`
}

// Included is the resources that a list carries beside its own: none, so far.
// A list that shows the member points at one, the others have nil.
type Included [0]struct{}

// Identifier names a resource.
type Identifier struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// ToOne is a relationship to one resource.
type ToOne struct {
	Data Identifier `json:"data"`
}

// ToMany is a relationship to any number of resources. Make it with Many.
type ToMany struct {
	Data []Identifier `json:"data"`
}

// One returns the relationship to the resource of that type and id.
func One(typ, id string) ToOne {
	return ToOne{Data: Identifier{Type: typ, ID: id}}
}

// Many returns the relationship to resources of one type, an empty array when
// there are no ids.
func Many(typ string, ids ...string) ToMany {
	data := make([]Identifier, len(ids))
	for i, id := range ids {
		data[i] = Identifier{Type: typ, ID: id}
	}
	return ToMany{Data: data}
}

// Link is a link that says which methods its address answers to. A link that
// does not is a plain string.
type Link struct {
	Href    string   `json:"href"`
	Methods []string `json:"methods"` // lower case
}
