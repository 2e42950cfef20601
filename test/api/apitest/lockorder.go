package apitest

import (
	"fmt"
	"slices"
	"strings"
)

// lockOrder is the calls that lock records, in the order in which a transaction
// may make them: docs/locks.md in the words of the ports. A transaction makes a
// call only if it has made none of a later line. Calls that lock nothing, and
// calls that lock only what an earlier line has locked, are in no line.
var lockOrder = []string{
	"Replays.Claim",
	"School.Find",
	"Keys.All Keys.Find",
	"Partnerships.Owners",
	"Groups.Find Groups.Load",
	"Coupons.Find",
	"Courses.LockExclusive Courses.BeginRemoval Courses.ContinueRemoval Courses.Find Structures.Find Activities.Load",
	"Quizzes.Load",
	"People.Find People.Load Enrollments.FindMany",
	"Courses.Load",
	"Categories.Find Categories.Load Partnerships.Load",
	"Groups.AddCourses Memberships.AddIfAbsent Memberships.Remove Memberships.Leave",
	"Enrollments.AddIfAbsent Enrollments.LockMany Enrollments.Remove Enrollments.RemoveFrom",
	"Attempts.LatestMany Attempts.Add Attempts.AddMany Attempts.LockOfPerson",
	"QuizAttempts.Latest QuizAttempts.Add QuizAttempts.Save QuizAttempts.RemoveOfPerson Structures.Save",
	"Submissions.Add",
	"Replays.EraseOfPerson",
	"Jobs.Remove",
	"Events.Append",
	"Deliveries.GetDayForUpdate",
}

// lockNothingElse is the calls that lock nothing, add a record that no other
// transaction knows, or write what a call of lockOrder has locked, or what belongs
// to it alone.
const lockNothingElse = `
	Activities.OfAssignment Assignments.Get Attempts.Complete Attempts.CompleteMany Attempts.Save Attempts.SaveMany
	Attempts.RemoveOfPerson Attempts.Tallies Bulk.Add
	Categories.Add Categories.Remove Categories.Save Coupons.Add Coupons.ByCode Coupons.Remove Coupons.Save
	Courses.Add Courses.ByPermalink Courses.ByPermalinks Courses.Contents Courses.DetachCategory Courses.DetachInstructor
	Courses.Get Courses.Save Enrollments.OfPerson Enrollments.RemoveOfPerson Events.ByClientIDs Events.RemoveOfPerson
	Deliveries.Last Deliveries.Save
	Groups.Add Groups.Courses Groups.Get Groups.Remove Groups.RemoveCourses Groups.Save
	Invitations.EndLinks Invitations.Get Invitations.Put Invitations.RemoveOfPerson Jobs.Add Keys.Add Keys.Save
	Memberships.Get Memberships.List Memberships.Members Memberships.RemoveByID Memberships.RemoveOfGroup Memberships.RemoveOfPerson
	Partnerships.AddIfAbsent Partnerships.Get Partnerships.Of Partnerships.Remove
	People.Add People.ByEmail People.Get People.Remove People.Save QuizAttempts.Open QuizAttempts.Uncompleted Quizzes.Get
	Redemptions.Add Redemptions.Get Redemptions.RemoveOfCoupon Redemptions.RemoveOfPerson
	Replays.Forget Replays.Keep School.CountPeople School.Get School.Save School.StoredBytes Structures.Facts Submissions.RemoveOfPerson
`

func rankOf(call string) int {
	for i, calls := range lockOrder {
		for one := range strings.FieldsSeq(calls) {
			if call == "Tx."+one {
				return i
			}
		}
	}
	return -1
}

// outOfOrder returns the first two calls of a transaction that lock records
// against lockOrder, or people after a course that it locked exclusively; blank if
// there are none.
func outOfOrder(calls []string) string {
	last, people := 0, rankOf("Tx.People.Find")
	highest, exclusive := "", ""
	for _, call := range calls {
		if call == "InTx" || call == "InLongTx" {
			last, highest, exclusive = 0, "", ""
		}
		rank := rankOf(call)
		switch {
		case call == "Tx.Structures.Find" || call == "Tx.Courses.LockExclusive":
			exclusive = call
		case exclusive != "" && rank == people:
			return fmt.Sprintf("%s after %s, which locks a course exclusively,", call, exclusive)
		}
		if rank < 0 && strings.HasPrefix(call, "Tx.") && !slices.Contains(strings.Fields(lockNothingElse), strings.TrimPrefix(call, "Tx.")) {
			return call + ", which is in no line,"
		}
		if rank >= 0 && rank < last {
			return fmt.Sprintf("%s after %s", call, highest)
		}
		if rank >= last {
			last, highest = rank, call
		}
	}
	return ""
}
