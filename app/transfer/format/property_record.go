package format

import "encoding/json"

// Property is the definition of a property.
type Property struct {
	Kind       string          `json:"kind"`
	Resource   string          `json:"resource"`
	Name       string          `json:"name"`
	Type       string          `json:"type"`
	Values     []string        `json:"values,omitempty"`
	Filterable bool            `json:"filterable,omitempty"`
	Value      json.RawMessage `json:"value,omitempty"` // the school's own value; absent: unchanged
	CreatedAt  Instant         `json:"created_at,omitzero"`
	UpdatedAt  Instant         `json:"updated_at,omitzero"`
	ID         ID              `json:"id,omitzero"`
}
