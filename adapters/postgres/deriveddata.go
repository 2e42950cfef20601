package postgres

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/ledger"
	"lyceum/domain/person"
)

// derivation is how some values of ledger.Derived are kept besides the triggers
// and the writes that keep them at every change.
type derivation struct {
	values []ledger.Value
	// reconcile corrects the values and returns those that were wrong.
	reconcile func(c ledgerRepo, ctx context.Context) ([]ledger.Difference, error)
	// load has statements that derive the values from what a bulk load has added;
	// $1 is the school. There are none if nothing that is added changes the values.
	load []string
}

// derivations has each value of ledger.Derived once, in the order in which they are
// reconciled and derived.
var derivations = []derivation{
	{
		values:    []ledger.Value{ledger.PersonCourses, ledger.PersonGroups, ledger.PersonPartnerships},
		reconcile: recounting(person.Type, recountPeople), load: []string{loadPeopleCounts},
	},
	{
		values:    []ledger.Value{ledger.CourseEnrollments},
		reconcile: recounting(course.Type, recountCourses), load: []string{loadCourseCounts},
	},
	{
		values:    []ledger.Value{ledger.GroupMemberships},
		reconcile: recounting(group.Type, recountGroups), load: []string{loadGroupCounts},
	},
	{values: []ledger.Value{ledger.QuizScores}, reconcile: ledgerRepo.rescore, load: []string{loadScores}},
	{
		values:    []ledger.Value{ledger.CourseAnalytics},
		reconcile: ledgerRepo.restand, load: []string{lockBegun, loadEnrolledStandings, loadBegunStandings},
	},
	{values: []ledger.Value{ledger.FeedGaps}, reconcile: ledgerRepo.recountFeed}, // a load adds events, which leave no gap
}

// recounting returns the reconciliation of counts of the records of a type.
func recounting(noun, statement string) func(ledgerRepo, context.Context) ([]ledger.Difference, error) {
	return func(c ledgerRepo, ctx context.Context) ([]ledger.Difference, error) {
		return c.recount(ctx, noun, statement)
	}
}
