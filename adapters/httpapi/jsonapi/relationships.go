package jsonapi

// Related returns the identifiers in the relationship of r with this name. It returns none if r
// lacks the relationship.
func (r Resource) Related(name string) []Identifier {
	for _, m := range Members(r.Relationships) {
		if m.Name != name {
			continue
		}
		switch to := m.Of(r.Relationships).(type) {
		case ToOne:
			return []Identifier{to.Data}
		case *ToOne:
			if to != nil {
				return []Identifier{to.Data}
			}
		case ToMany:
			return to.Data
		}
	}
	return nil
}

// HasMember reports whether resources of r's type have an attribute or a relationship with this
// name.
func (r Resource) HasMember(name string) bool {
	return has(r.Attributes, name) || r.HasRelationship(name)
}

// HasRelationship reports whether resources of r's type have a relationship with this name.
func (r Resource) HasRelationship(name string) bool { return has(r.Relationships, name) }

func has(v any, name string) bool {
	for _, m := range Members(v) {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Select returns r with only those attributes and relationships for whose names keep returns true.
// The member "relationships" is omitted if none is left.
func (r Resource) Select(keep func(name string) bool) Resource {
	r.Attributes = Select(r.Attributes, keep)
	if left := Select(r.Relationships, keep); len(left) > 0 {
		r.Relationships = left
	} else {
		r.Relationships = nil
	}
	return r
}
