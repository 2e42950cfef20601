package httpapi

import (
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// facts is the data of a request that records what learners have done: one
// document, or several in an array.
type facts struct {
	documents []*document
	many      bool
}

// readFacts reads one document or up to most in an array.
func (s *server) readFacts(c *gin.Context, most int) (facts, error) {
	payload, err := s.readPayload(c)
	if err != nil {
		return facts{}, err
	}
	top, _ := payload.Object()
	n, many := top[dataMember].Len()
	if !many {
		if payload.Absent() {
			return facts{}, refusef(http.StatusBadRequest, emptyBody)
		}
		d, err := newDocument(payload)
		return facts{documents: []*document{d}}, err
	}
	if n == 0 || n > most { // before any of them is read: so many cost far more than the body
		return facts{}, fault.Invalidf(dataMember, "must be an object, or an array of 1 to %d", most)
	}
	elements, _ := top[dataMember].Array()
	all := make([]*document, len(elements))
	for i, e := range elements {
		data, ok := e.Object()
		if all[i] = documentOf(data); !ok {
			all[i].faults = []error{fault.Invalidf("", "must be an object")}
		}
	}
	return facts{documents: all, many: true}, nil
}

// readFact reads the document of one fact, whose type, if it says one, must be
// typ.
func (s *server) readFact(c *gin.Context, typ string) (*document, error) {
	d, err := s.readDocument(c)
	if err != nil {
		return nil, err
	}
	d.checkFact(false, typ)
	return d, nil
}

// checkFact notes an id of its own, which a fact cannot have, and a type that is
// none of types.
func (d *document) checkFact(strict bool, types ...string) {
	for _, member := range []string{idMember, uuidMember} {
		sent := d.data[member]
		if id, isText := sent.Text(); !unset(sent) && (!isText || id != "") {
			d.fail(&fault.Fault{Kind: fault.Forbidden, Field: member, Detail: ownID})
		}
	}
	d.checkType(strict, types)
}

// faults returns what is wrong with the documents.
func (f facts) faults() []error {
	var all []error
	for i, d := range f.documents {
		told := d.faults
		if d.data == nil { // no object: nothing else is to be said of it
			told = told[:1]
		}
		for _, err := range told {
			if f.many {
				err = fault.AtRow(err, i)
			}
			all = append(all, err)
		}
	}
	return all
}

// record does what facts ask for; do tells faults at the rows of the documents.
func record[T any](f facts, a app.Actor, do func(a app.Actor) (T, error)) (T, error) {
	return try(f.faults(), a, func(a app.Actor) (T, error) {
		done, err := do(a)
		if !f.many {
			const alone = -1
			err = fault.AtRow(err, alone)
		}
		return done, err
	})
}

// clean tells whether an attribute is not known to be wrong.
func (d *document) clean(name string) bool {
	return !slices.ContainsFunc(fault.All(fault.Join(d.faults...)), func(f *fault.Fault) bool { return f.Field == name })
}

// moment returns an attribute that is a date and time, nil when it is absent or
// null.
func (d *document) moment(name string) *time.Time {
	if unset(d.attributes[name]) {
		return nil
	}
	return attribute(d, name, momentOf)
}

func momentOf(name string, v jsonapi.Value) (time.Time, error) {
	s, _ := v.Text()
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fault.Invalidf(name, "must be a date and time, such as 2026-01-02T15:04:05.123Z")
	}
	return at, nil
}

// textsOf returns a text, or several in an array.
func textsOf(name string, v jsonapi.Value) ([]string, error) {
	elements, ok := v.Array()
	if !ok {
		elements = []jsonapi.Value{v}
	}
	texts := make([]string, len(elements))
	for i, e := range elements {
		s, ok := e.Text()
		if !ok {
			return nil, fault.Invalidf(name, "must be a string or an array of strings")
		}
		if err := text.Clean(name, s); err != nil {
			return nil, err
		}
		texts[i] = s
	}
	return texts, nil
}
