package lyceum

import (
	"encoding/json"
	"fmt"
)

// Page is a page of a list.
type Page[T any] struct {
	Data  []T
	Total int // number of all records of the list; 0 unless Query.Count is true

	related map[Identifier]json.RawMessage // the included records and the records of Data, by type and ID
	next    string                         // link to the next page; "" if there is none
}

// UnmarshalJSON reads the document of a page.
func (p *Page[T]) UnmarshalJSON(text []byte) error {
	var document struct {
		Data     []json.RawMessage `json:"data"`
		Included []json.RawMessage `json:"included"`
		Meta     struct {
			Total int `json:"total"`
		} `json:"meta"`
		Links struct {
			Next string `json:"next"`
		} `json:"links"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	*p = Page[T]{
		Data: make([]T, len(document.Data)), Total: document.Meta.Total, next: document.Links.Next,
		related: make(map[Identifier]json.RawMessage, len(document.Included)),
	}
	for i, record := range document.Data {
		if err := json.Unmarshal(record, &p.Data[i]); err != nil {
			return err
		}
	}
	// The API does not repeat the records of Data in the included records, but relationships can
	// refer to them.
	for _, record := range append(document.Included, document.Data...) {
		var id Identifier
		if json.Unmarshal(record, &id) == nil { // fails for a numeric ID, to which no relationship refers
			p.related[id] = record
		}
	}
	return nil
}

// Related returns the record to which a relationship of a record of the page refers, such as
//
//	person, err := lyceum.Related[lyceum.Person](page, row.Relationships.Person.Data)
//
// It returns an error unless Query.Include contains the relationship.
func Related[R, T any](page Page[T], to Identifier) (R, error) {
	var record R
	text, ok := page.related[to]
	if !ok {
		return record, fmt.Errorf("lyceum: the page does not include the resource %q of the type %q", to.ID, to.Type)
	}
	return record, json.Unmarshal(text, &record)
}
