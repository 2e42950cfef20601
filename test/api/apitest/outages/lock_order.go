package outages

import (
	"fmt"
	"slices"
	"strings"
)

// lockOrder lists the calls that lock records, in the order in which a transaction may make them.
// It expresses docs/locks.md as calls of ports. After a call in one line, a transaction may make
// only calls in the same or later lines. The list does not contain calls that lock nothing, or only
// records that a call in an earlier line has locked.
var lockOrder = []string{
	"Idempotency.Claim",
	"Bulk.WaitingForUpdate",
	"School.GetForUpdate",
	"School.GetForShare",
	"Followers.Add Followers.AddIfAbsent Followers.Extend Followers.Move Followers.Delete",
	"Webhooks.GetForUpdate Webhooks.Delete",
	"Webhooks.Queue Webhooks.Claim Webhooks.Finish Webhooks.Trim",
	"Properties.GetForUpdate Properties.NamedForShare",
	"School.Save",
	"Keys.GetAllForUpdate Keys.GetForUpdate",
	"Partnerships.OwnersForUpdate",
	"Groups.GetForUpdate Groups.GetManyForShare",
	"Coupons.GetForUpdate",
	"Courses.LockExclusive Courses.BeginRemoval Courses.ContinueRemoval Courses.GetForUpdate Structures.GetForUpdate Activities.GetManyForShare",
	"Quizzes.GetManyForShare",
	"People.GetForUpdate People.GetManyForShare Enrollments.GetManyForUpdate",
	"Courses.GetManyForShare",
	"Categories.GetForUpdate Categories.GetManyForShare Partnerships.GetManyForShare",
	"Groups.AddCourses Memberships.AddIfAbsent Memberships.RemovePeople Memberships.RemoveFromGroups",
	"Enrollments.AddIfAbsent Enrollments.LockManyForUpdate Enrollments.RemoveFromCourses Enrollments.RemovePeople",
	"Attempts.LatestMany Attempts.Add Attempts.AddMany Attempts.LockByPerson",
	"QuizAttempts.Latest QuizAttempts.Add QuizAttempts.Save QuizAttempts.DeleteByPerson Structures.Save",
	"Submissions.Add",
	"Idempotency.EraseByPerson",
	"Audit.EraseAddresses",
	"Jobs.Delete Jobs.Retry",
	"Events.Append",
	"Courses.DetachInstructor Partnerships.InstructsForShare",
	"Partnerships.Delete",
	"Partnerships.ExistsForShare",
	"Keys.GetForShare",
	"Deliveries.GetDayForUpdate",
}

// lockFreeCalls lists the calls that lock nothing, that add a record unknown to other transactions,
// or that write only records that the transaction has locked.
const lockFreeCalls = `
	Audit.SetOrigin Audit.Add
	Activities.ByAssignment Activities.List Assignments.Get Attempts.AbsentCompletions Attempts.AddCompletionsIfAbsent Attempts.Save Attempts.SaveMany
	Attempts.DeleteByPerson Attempts.Tallies Bulk.Add Bulk.SaveRows
	Categories.Add Categories.Delete Categories.Save Coupons.Add Coupons.IDsByCode Coupons.Delete Coupons.Save
	Courses.Add Courses.IDByPermalink Courses.IDsByPermalink Courses.CountDependents Courses.DetachCategory
	Courses.Get Courses.Save Enrollments.ByPerson Enrollments.DeleteByPerson Events.ByClientKeys Events.DeleteByPerson
	Deliveries.Last Deliveries.Save
	Groups.Add Groups.CourseIDs Groups.Get Groups.Delete Groups.RemoveCourses Groups.Save
	Invitations.ExpireLinks Invitations.Get Invitations.Link Invitations.Upsert Invitations.DeleteByPerson Jobs.Add Keys.Add Keys.Save
	Memberships.Get Memberships.List Memberships.MemberIDs Memberships.Delete Memberships.DeleteByGroup Memberships.DeleteByPerson
	Properties.Add Properties.CountValues Properties.Defined Properties.Delete Properties.Get Properties.RemoveValues Properties.Save
	Partnerships.AddIfAbsent Partnerships.Get Partnerships.ByPerson
	People.Add People.ByEmail People.Get People.Delete People.Save QuizAttempts.Open QuizAttempts.Uncompleted Quizzes.Get
	Redemptions.Add Redemptions.Get Redemptions.DeleteByCoupon Redemptions.DeleteByPerson
	SignIns.AddLink SignIns.AddSession SignIns.DeleteSession SignIns.DeleteSessions SignIns.Requests SignIns.RevokeLinks SignIns.SaveLink SignIns.SaveSession
	Idempotency.DeleteExpired Idempotency.SaveResponse School.CountPeople School.Get School.StoredBytes School.Summary Structures.Usage Submissions.DeleteByPerson
	Webhooks.Add Webhooks.List Webhooks.Save
	Tokens.Add Tokens.DeleteByPerson Tokens.Prune
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

// lockOrderViolation describes the first violation in the calls of transactions, or returns "". It
// reports two calls that violate lockOrder, a lock of people after an exclusive lock of a course,
// and a call that is neither in lockOrder nor in lockFreeCalls.
func lockOrderViolation(calls []string) string {
	last, people := 0, rankOf("Tx.People.GetForUpdate")
	highest, exclusive := "", ""
	for _, call := range calls {
		if call == "InTx" || call == "InLongTx" {
			last, highest, exclusive = 0, "", ""
		}
		rank := rankOf(call)
		switch {
		case call == "Tx.Structures.GetForUpdate" || call == "Tx.Courses.LockExclusive":
			exclusive = call
		case exclusive != "" && rank == people:
			return fmt.Sprintf("%s after %s, which locks a course exclusively,", call, exclusive)
		}
		if rank < 0 && strings.HasPrefix(call, "Tx.") && !slices.Contains(strings.Fields(lockFreeCalls), strings.TrimPrefix(call, "Tx.")) {
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
