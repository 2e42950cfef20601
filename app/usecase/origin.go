package usecase

import (
	"context"

	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// WithRequest returns a context for a request with the given ID from a client with the given
// address, which is blank if it must not be recorded. The audit trail records both for whatever the
// request changes. Until an actor is known, the actor is a visitor.
func WithRequest(ctx context.Context, id, address string) context.Context {
	return ports.WithOrigin(ctx, audit.Origin{Actor: audit.Actor{Type: audit.Visitor}, Request: id, Address: address})
}

// WithCaller returns a context for a request of the caller with the given ID: an API key, a learner or
// a client network.
func WithCaller(ctx context.Context, id [16]byte) context.Context { return ports.WithCaller(ctx, id) }

// AsOperator returns a context for a command. The audit trail records that the operator made the
// changes.
func AsOperator(ctx context.Context) context.Context {
	return ports.WithOrigin(ctx, audit.Origin{Actor: audit.Actor{Type: audit.Operator}})
}

// AsJob returns a context for the job j, for the audit trail.
func AsJob(ctx context.Context, j job.Job) context.Context {
	return ports.WithOrigin(ctx, audit.Origin{Actor: audit.Actor{Type: audit.Job, ID: j.ID.UUID}, Request: j.ID.String()})
}

// ActAs makes by the actor of the audit events of all later writes of a transaction.
func ActAs(ctx context.Context, tx ports.Tx, by audit.Actor) error {
	o := ports.OriginOf(ctx)
	o.Actor = by
	return tx.Audit.SetOrigin(ctx, o)
}

// Audited returns a as the audit trail names it; zero for the operator and for jobs, whom the
// context names.
func (a Actor) Audited() audit.Actor {
	switch {
	case a.hasSession():
		return audit.Actor{Type: audit.Session, ID: a.session.ID.UUID, Person: a.session.Person}
	case a.staff != person.ID{}: // of a job: the session of the request may have ended
		return audit.Actor{Type: audit.Session, Person: a.staff}
	case a.IsLearner():
		return audit.Actor{Type: audit.LearnerToken, ID: a.token, Person: a.learner}
	case a.key != school.KeyID{}:
		return audit.Actor{Type: audit.APIKey, ID: a.key.UUID}
	}
	return audit.Actor{}
}

// OriginBy returns the origin of ctx with a as the actor, unless a is the operator or a job.
func OriginBy(ctx context.Context, a Actor) audit.Origin {
	o := ports.OriginOf(ctx)
	if by := a.Audited(); by != (audit.Actor{}) {
		o.Actor = by
	}
	return o
}

func withOrigin(ctx context.Context, a Actor) context.Context {
	return ports.WithOrigin(ctx, OriginBy(ctx, a))
}

// AddPerson calls Store.AddPerson on behalf of a. It adds no person if a is a person of the staff,
// whose role only InTx can check.
func (d Deps) AddPerson(ctx context.Context, a Actor, p ports.NewPerson) (*person.Summary, error) {
	if a.staff != (person.ID{}) {
		return nil, nil
	}
	return d.Store.AddPerson(withOrigin(ctx, a), a.school, p)
}

// SchoolRecord returns the record of the school, for the audit trail.
func SchoolRecord(s school.ID) change.Record { return change.Record{Type: school.Type, ID: s.String()} }
