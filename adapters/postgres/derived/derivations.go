package derived

import (
	"context"

	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/reconcile"
)

// A derivation recomputes some values of reconcile.Derived from their source records. It is
// independent of the triggers and writes that update these values with every change.
type derivation struct {
	values []reconcile.Value
	// reconcile fixes the wrong values and returns the discrepancies.
	reconcile func(ctx context.Context, c *pgdb.Session) ([]reconcile.Discrepancy, error)
	// load contains the statements that derive the values from the rows of a bulk load; $1 is the
	// school. It is nil if a bulk load does not change the values.
	load []string
}

// derivations contains each value of reconcile.Derived once, in the order in which they are
// reconciled and loaded.
var derivations = []derivation{
	{
		values:    []reconcile.Value{reconcile.PersonCourses, reconcile.PersonGroups, reconcile.PersonPartnerships},
		reconcile: recounting(person.Type, recountPeople), load: []string{loadPeopleCounts},
	},
	{
		values:    []reconcile.Value{reconcile.CourseEnrollments},
		reconcile: recounting(course.Type, recountCourses), load: []string{loadCourseCounts},
	},
	{
		values:    []reconcile.Value{reconcile.GroupMemberships},
		reconcile: recounting(group.Type, recountGroups), load: []string{loadGroupCounts},
	},
	{values: []reconcile.Value{reconcile.QuizScores}, reconcile: reconciling[scoreDifference](fixScores), load: []string{loadScores}},
	{
		values:    []reconcile.Value{reconcile.CourseAnalytics},
		reconcile: reconcileAnalytics, load: []string{lockPeopleOfAttempts, loadEnrollmentAnalytics, loadAttemptAnalytics},
	},
	{values: []reconcile.Value{reconcile.FeedGaps}, reconcile: reconciling[gapRow](recountFeed)}, // a load leaves no gaps
}

// recounting returns a function that reconciles the counts of records of a type.
func recounting(noun, statement string) func(context.Context, *pgdb.Session) ([]reconcile.Discrepancy, error) {
	return func(ctx context.Context, c *pgdb.Session) ([]reconcile.Discrepancy, error) {
		found, err := differences[countRow](ctx, c, statement, c.SchoolID)
		for i := range found {
			found[i].Record = noun + " " + found[i].Record
		}
		return found, err
	}
}

// reconciling returns a function that runs a statement, which fixes rows and returns the wrong ones
// as R.
func reconciling[R interface{ discrepancy() reconcile.Discrepancy }](
	statement string,
) func(context.Context, *pgdb.Session) ([]reconcile.Discrepancy, error) {
	return func(ctx context.Context, c *pgdb.Session) ([]reconcile.Discrepancy, error) {
		return differences[R](ctx, c, statement, c.SchoolID)
	}
}
