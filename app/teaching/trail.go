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
	n := recordNames{actor: a, ids: map[string][]recordID{}, names: map[change.Record]string{}}
	for _, e := range found.Items {
		n.add(e.Record)
		n.add(ActorRecord(e.Actor))
	}
	app := t.app
	find(ctx, &n, person.Type, person.Schema, app.People.List, func(p person.Summary) (uuid.UUID, string) {
		return p.ID.UUID, cmp.Or(p.FullName(), p.Email)
	})
	find(ctx, &n, course.Type, course.Schema, app.Courses.List, func(c course.Summary) (uuid.UUID, string) { return c.ID.UUID, c.Name })
	find(ctx, &n, group.Type, group.Schema, app.Groups.List, func(g group.Summary) (uuid.UUID, string) { return g.ID.UUID, g.Name })
	find(ctx, &n, category.Type, category.Schema, app.Categories.List, func(c category.State) (uuid.UUID, string) { return c.ID.UUID, c.Name })
	find(ctx, &n, coupon.Type, coupon.Schema, app.Coupons.List, func(c coupon.State) (uuid.UUID, string) { return c.ID.UUID, c.Code })
	find(ctx, &n, quiz.Type, quiz.Schema, app.Quizzes.List, func(q quiz.Summary) (uuid.UUID, string) { return q.ID.UUID, q.Name })
	find(ctx, &n, assignment.Type, assignment.Schema, app.Assignments.List, func(a assignment.State) (uuid.UUID, string) { return a.ID.UUID, a.Title })
	if s.IsOwner() {
		find(ctx, &n, school.KeyType, school.KeySchema, app.Keys.List, func(k school.Key) (uuid.UUID, string) { return k.ID.UUID, k.Name })
		find(ctx, &n, webhook.Type, webhook.Schema, app.Webhooks.List, func(e webhook.Endpoint) (uuid.UUID, string) {
			return e.ID.UUID, cmp.Or(e.Description, e.URL)
		})
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
	actor usecase.Actor
	ids   map[string][]recordID
	names map[change.Record]string
	err   error // the first error of find, which then does nothing
}

func (n *recordNames) add(r change.Record) {
	if id, ok := text.UUID(r.ID); ok {
		n.ids[r.Type] = append(n.ids[r.Type], recordID{id})
	}
}

// find sets the names in n of the records of a type, as namesOf reads them.
func find[T any](
	ctx context.Context, n *recordNames, typ string, schema query.Schema[T],
	list func(context.Context, usecase.Actor, query.Query) (query.Result[T], error), of func(T) (uuid.UUID, string),
) {
	if n.err != nil {
		return
	}
	var names map[recordID]string
	names, n.err = namesOf(ctx, n.actor, n.ids[typ], schema, list, func(record T) (recordID, string) {
		id, name := of(record)
		return recordID{id}, name
	})
	for id, name := range names {
		n.names[change.Record{Type: typ, ID: id.String()}] = name
	}
}
