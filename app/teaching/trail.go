package teaching

import (
	"cmp"
	"context"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/audit"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/domain/webhook"
)

// Trail returns a page of the audit trail, and the names of the records and of the actors of its
// events that still exist and that the person may see. It reads each type of records once.
func (t *Teaching) Trail(ctx context.Context, s Staff, q query.Query) (query.Result[audit.Event], map[change.Record]string, error) {
	a, err := s.manager()
	if err != nil {
		return query.Result[audit.Event]{}, nil, err
	}
	found, err := t.app.Audit.List(ctx, a, q)
	if err != nil {
		return found, nil, err
	}
	n := recordNames{ids: map[string][]recordID{}, names: map[change.Record]string{}}
	for _, e := range found.Items {
		n.add(e.Record)
		n.add(ActorRecord(e.Actor))
	}
	app := t.app
	n.find(ctx, person.Type, ofList(a, person.Schema, app.People.List, func(p person.Summary) (uuid.UUID, string) {
		return p.ID.UUID, cmp.Or(p.FullName(), p.Email)
	}))
	n.find(ctx, course.Type, ofList(a, course.Schema, app.Courses.List, func(c course.Summary) (uuid.UUID, string) { return c.ID.UUID, c.Name }))
	n.find(ctx, group.Type, ofList(a, group.Schema, app.Groups.List, func(g group.Summary) (uuid.UUID, string) { return g.ID.UUID, g.Name }))
	n.find(ctx, category.Type, ofList(a, category.Schema, app.Categories.List, func(c category.State) (uuid.UUID, string) { return c.ID.UUID, c.Name }))
	n.find(ctx, coupon.Type, ofList(a, coupon.Schema, app.Coupons.List, func(c coupon.State) (uuid.UUID, string) { return c.ID.UUID, c.Code }))
	n.find(ctx, quiz.Type, ofList(a, quiz.Schema, app.Quizzes.List, func(q quiz.Summary) (uuid.UUID, string) { return q.ID.UUID, q.Name }))
	n.find(ctx, assignment.Type, ofList(a, assignment.Schema, app.Assignments.List, func(a assignment.State) (uuid.UUID, string) { return a.ID.UUID, a.Title }))
	if s.IsOwner() {
		n.find(ctx, school.KeyType, ofList(a, school.KeySchema, app.Keys.List, func(k school.Key) (uuid.UUID, string) { return k.ID.UUID, k.Name }))
		n.find(ctx, webhook.Type, ofList(a, webhook.Schema, app.Webhooks.List, func(e webhook.Endpoint) (uuid.UUID, string) {
			return e.ID.UUID, cmp.Or(e.Description, e.URL)
		}))
	}
	return found, n.names, n.err
}

// ActorRecord returns the record of an actor: the person, or else the API key; zero: neither.
func ActorRecord(a audit.Actor) change.Record {
	switch {
	case a.Person != (person.ID{}):
		return change.Record{Type: person.Type, ID: a.Person.String()}
	case a.Type == audit.APIKey:
		return change.Record{Type: school.KeyType, ID: a.ID.String()}
	}
	return change.Record{}
}

type recordID struct{ uuid.UUID }

// recordNames collects the IDs of records by type, and then their names.
type recordNames struct {
	ids   map[string][]recordID
	names map[change.Record]string
	err   error // the first error of find, which then does nothing
}

func (n *recordNames) add(r change.Record) {
	if id, ok := text.UUID(r.ID); ok {
		n.ids[r.Type] = append(n.ids[r.Type], recordID{id})
	}
}

// find sets the names of the records of a type. list calls its last argument for each of them.
func (n *recordNames) find(ctx context.Context, typ string, list func(context.Context, []recordID, func(uuid.UUID, string)) error) {
	if n.err != nil || len(n.ids[typ]) == 0 {
		return
	}
	n.err = list(ctx, n.ids[typ], func(id uuid.UUID, name string) { n.names[change.Record{Type: typ, ID: id.String()}] = name })
}

// ofList returns a list for find, which reads the records with list. of returns the ID and the name
// of a record.
func ofList[T any](
	a usecase.Actor, schema query.Schema[T], list func(context.Context, usecase.Actor, query.Query) (query.Result[T], error), of func(T) (uuid.UUID, string),
) func(context.Context, []recordID, func(uuid.UUID, string)) error {
	return func(ctx context.Context, ids []recordID, each func(uuid.UUID, string)) error {
		found, err := list(ctx, a, query.Query{Where: query.HasAnyID(schema.Attr("uuid"), ids), Page: query.AllRows(), WithoutProperties: true})
		for _, record := range found.Items {
			each(of(record))
		}
		return err
	}
}
