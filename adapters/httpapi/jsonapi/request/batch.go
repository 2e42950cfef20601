package request

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// Batch is the data of a request about one new record, or about several in an array.
type Batch struct {
	Documents []*Document
	Many      bool // whether the data is an array
}

// ParseBatch returns the document in a payload, or the documents of an array of 1 to most elements.
func ParseBatch(payload jsonapi.Value, most int) (Batch, error) {
	top, _ := payload.Object()
	n, many := top[DataMember].Len()
	if !many {
		d, err := Parse(payload)
		return Batch{Documents: []*Document{d}}, err
	}
	if n == 0 || n > most { // checked before parsing, because the parsed documents would need far more memory than the body
		return Batch{}, fault.Invalidf(DataMember, "must be an object or an array of 1 to %d objects", most)
	}
	elements, _ := top[DataMember].Array()
	all := make([]*Document, len(elements))
	for i, e := range elements {
		data, ok := e.Object()
		if all[i] = documentOf(data); !ok {
			all[i].Faults = []error{fault.Invalidf("", "must be an object")}
		}
	}
	return Batch{Documents: all, Many: true}, nil
}

// ParseRecord is like ParseNew, for a document of type typ whose type may be absent. It adds a
// fault if the document has an ID.
func ParseRecord(payload jsonapi.Value, typ string) (*Document, error) {
	d, err := Parse(payload)
	if err != nil {
		return nil, err
	}
	d.CheckNew(false, typ)
	return d, nil
}

// CheckNew adds a fault if the document has an ID, which clients cannot choose, or a type that is
// not in types. If strict, the document must have a type.
func (d *Document) CheckNew(strict bool, types ...string) {
	for _, member := range []string{IDMember, uuidMember} {
		sent := d.Data[member]
		if id, isText := sent.Text(); !sent.NullOrAbsent() && (!isText || id != "") {
			d.Fail(&fault.Fault{Kind: fault.Forbidden, Field: member, Detail: clientIDDetail})
		}
	}
	d.CheckType(strict, types)
}

// Faults returns the first MaxFaults faults of all documents.
func (b Batch) Faults() []error {
	var all []error
	for i, d := range b.Documents {
		noted := d.Faults
		if d.Data == nil { // data is not an object; other faults follow from that
			noted = noted[:1]
		}
		for _, err := range noted {
			if len(all) == MaxFaults {
				return all
			}
			if b.Many {
				err = fault.AtRow(err, i)
			}
			all = append(all, err)
		}
	}
	return all
}
