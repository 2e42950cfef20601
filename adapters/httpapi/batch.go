package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
)

// batch is the data of a request about one new record, or about several in an array.
type batch struct {
	documents []*document
	many      bool // whether the data is an array
}

// parseBatch returns the document in a payload, or up to most of them in an array.
func parseBatch(payload jsonapi.Value, most int) (batch, error) {
	top, _ := payload.Object()
	n, many := top[dataMember].Len()
	if !many {
		d, err := parse(payload)
		return batch{documents: []*document{d}}, err
	}
	if n == 0 || n > most { // before any of them is read: so many cost far more than the body
		return batch{}, fault.Invalidf(dataMember, "must be an object, or an array of 1 to %d", most)
	}
	elements, _ := top[dataMember].Array()
	all := make([]*document, len(elements))
	for i, e := range elements {
		data, ok := e.Object()
		if all[i] = documentOf(data); !ok {
			all[i].faults = []error{fault.Invalidf("", "must be an object")}
		}
	}
	return batch{documents: all, many: true}, nil
}

// parseRecord is parseNew for a document of type typ, which need not say so, and which
// notes an id with its other faults.
func parseRecord(payload jsonapi.Value, typ string) (*document, error) {
	d, err := parse(payload)
	if err != nil {
		return nil, err
	}
	d.checkNew(false, typ)
	return d, nil
}

// checkNew notes an id, which a client cannot choose, and a type that is none of types;
// strict says that the document must have one.
func (d *document) checkNew(strict bool, types ...string) {
	for _, member := range []string{idMember, uuidMember} {
		sent := d.data[member]
		if id, isText := sent.Text(); !sent.NullOrAbsent() && (!isText || id != "") {
			d.fail(&fault.Fault{Kind: fault.Forbidden, Field: member, Detail: ownID})
		}
	}
	d.checkType(strict, types)
}

// faults returns the faults of all documents.
func (b batch) faults() []error {
	var all []error
	for i, d := range b.documents {
		noted := d.faults
		if d.data == nil { // it is not an object, which is all that can be said of it
			noted = noted[:1]
		}
		for _, err := range noted {
			if b.many {
				err = fault.AtRow(err, i)
			}
			all = append(all, err)
		}
	}
	return all
}
