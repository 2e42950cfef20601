package memory

import (
	"reflect"
	"time"
	"unique"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/audit"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// changeLog adds the changes of one transaction with one origin to the feed and to the audit trail.
type changeLog struct {
	state *state // after the changes
	cause *cause
}

// add appends a change of a record to the feed if the record was created, deleted or updated. had
// and has report whether the record existed before and exists now. updated is called only if both
// are true.
func (l changeLog) add(typ, id string, had, has bool, updated func() bool) {
	var action change.Action
	switch {
	case !had && has:
		action = change.Created
	case had && !has:
		action = change.Deleted
	case had && has && updated():
		action = change.Updated
	default:
		return
	}
	e := l.audit(audit.Action(action), change.Record{Type: typ, ID: id})
	l.state.changes.writable(l.state.version).rows.Set(e)
}

// audit adds an event to the audit trail, and returns it.
func (l changeLog) audit(action audit.Action, r change.Record) *auditEvent {
	position := l.state.changes.writable(l.state.version).next()
	e := &auditEvent{position, unique.Make(eventKind{action, r.Type}), newCompactID(r.ID), l.cause}
	l.state.trail.writable(l.state.version).rows.Set(e)
	return e
}

// appendChanges adds the changes since the state old to the feed and the audit trail. It also adds
// the events in audited, which are not changes.
func (s *state) appendChanges(old *state, origin audit.Origin, audited []audit.Event) {
	if origin.Person != (person.ID{}) && !s.people.table.Has(origin.Person.UUID) {
		origin.Address = ""
	}
	l := changeLog{s, &cause{time.Now().UTC().Truncate(time.Millisecond), origin}}
	always := func() bool { return true }
	l.add(school.Type, s.school.State().ID.String(), true, true, func() bool {
		return !reflect.DeepEqual(s.school.State(), old.school.State())
	})
	logTable(l, property.Type, old.properties, s.properties, func(d *property.State) any { return *d })
	logTable(l, category.Type, old.categories, s.categories, func(c *category.State) any { return *c })
	logTable(l, coupon.Type, old.coupons, s.coupons, func(c *coupon.State) any {
		content := *c
		content.UsagesCount = 0
		return content
	})
	logTable(l, person.Type, old.people, s.people, func(p *person.Summary) any { return p.State })
	logTable(l, person.PartnershipType, old.partnerships, s.partnerships, nil)
	logRecords(l, redemption.Type, old.redemptions.table, s.redemptions.table)
	logTable(l, course.Type, old.courses, s.courses, func(c *course.Summary) any { return c.State })
	logTable(l, quiz.Type, old.quizzes, s.quizzes, func(q *quiz.Summary) any { return [...]any{q.Name, q.UpdatedAt} })
	logTable(l, assignment.Type, old.assignments, s.assignments, func(a *assignment.State) any { return *a })
	logTable(l, activity.Type, old.activities, s.activities, func(a *activity.State) any { return *a })
	logTable(l, group.Type, old.groups, s.groups, func(g *group.Summary) any { return g.State })
	for _, id := range s.changedGroups {
		l.add(group.Type, id.String(), old.groups.table.Has(id.UUID), s.groups.table.Has(id.UUID), always)
	}
	logRecords(l, membership.Type, old.memberships.table.Records, s.memberships.table.Records)
	logRecords(l, enrollment.Type, old.enrollments.table.Records, s.enrollments.table.Records)
	for _, c := range *s.attempts.table.Written {
		_, had := old.attempts.table.Completion(c.Attempt, c.Activity)
		_, has := s.attempts.table.Completion(c.Attempt, c.Activity)
		l.add(analytics.CompletionType, c.Attempt.String()+":"+c.Activity.String(), had, has, func() bool { return false })
	}
	logRecords(l, analytics.QuizAttemptType, old.quizAttempts.table.Records, s.quizAttempts.table.Records)
	logAnswers(l, old, s)
	logRecords(l, submission.Type, old.submissions.table, s.submissions.table)
	*s.attempts.table.Written, s.writtenAnswers, s.changedGroups = nil, nil, nil
	for _, e := range audited {
		l.audit(e.Action, e.Record)
	}
}

// logTable adds the changes of the rows of a table. A row that existed before and exists now is
// updated if content returns different values for it. If content is nil, rows are never updated.
func logTable[T any](l changeLog, typ string, old, next versioned[*ordered.Table[T]], content func(*T) any) {
	for _, id := range next.table.Log.Take() {
		a, had := old.table.ByID.Get(id)
		b, has := next.table.ByID.Get(id)
		l.add(typ, id.String(), had, has, func() bool { return content != nil && !reflect.DeepEqual(content(&a.Row), content(&b.Row)) })
	}
}

// logRecords adds the changes of immutable rows. A row that existed before and exists now is
// updated if it was replaced.
func logRecords[R comparable](l changeLog, typ string, old, next ordered.Records[R]) {
	for _, id := range next.Log.Take() {
		a, had := old.ByID.Get(id)
		b, has := next.ByID.Get(id)
		l.add(typ, id.String(), had, has, func() bool { return a != b })
	}
}

// logAnswers adds the changes of answers. An answer is updated if it was replaced.
func logAnswers(l changeLog, old, next *state) {
	seen := map[[2]uuid.UUID]bool{}
	for _, a := range next.writtenAnswers {
		key := [2]uuid.UUID{a.Head.ID.UUID, a.Question.UUID}
		if seen[key] {
			continue
		}
		seen[key] = true
		id := a.Head.ID.String() + ":" + a.Question.String()
		before, had := old.answerByKey(id)
		after, has := next.answerByKey(id)
		l.add(analytics.AnswerType, id, had, has, func() bool { return before != after })
	}
}
