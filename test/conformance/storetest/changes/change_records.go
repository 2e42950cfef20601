package changes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lyceum/domain/analytics"
	"lyceum/domain/change"
	"lyceum/domain/course"
	"lyceum/domain/text"
	"lyceum/test/conformance/storetest/fixture"
)

// recordTypes maps each field of fixture.Everything whose rows have changes to the type of their
// records in the feed. The other fields have derived rows, or rows without changes.
var recordTypes = map[string]string{
	"Properties": "property_definitions", "Categories": "categories", "Coupons": "coupons", "Redemptions": "coupon_redemptions",
	"Courses": "courses", "People": "people", "Partnerships": "partnerships", "Enrollments": "enrollments", "Groups": "groups",
	"Memberships": "memberships", "Activities": "activities", "Quizzes": "quizzes", "Assignments": "assignments",
	"Submissions": "assignment_submissions", "RawAnswers": "quiz_raw_answers", "QuizAttempts": "quiz_attempts",
	"Completions": "activity_completions",
}

// recordVersions returns a text for each record in all. The text differs after each update that the
// change feed must contain.
func recordVersions(all fixture.Everything) map[change.Record]string {
	versions := map[change.Record]string{}
	for list, typ := range recordTypes {
		rows := reflect.ValueOf(all).FieldByName(list)
		for i := range rows.Len() {
			row := rows.Index(i)
			var id string
			if key := row.MethodByName("Key"); key.IsValid() {
				id = key.Call(nil)[0].String()
			} else {
				id = fmt.Sprint(row.FieldByName("ID").Interface())
			}
			versions[change.Record{Type: typ, ID: id}] = recordVersion(row.Interface())
		}
	}
	return versions
}

func recordVersion(row any) string {
	switch r := row.(type) {
	case course.Summary:
		return fmt.Sprint(r.UpdatedAt, r.Categories, r.Instructors)
	case analytics.RawAnswer:
		return fmt.Sprint(r.Answer)
	case analytics.QuizAttempt:
		return fmt.Sprint(r.Score)
	}
	at := reflect.ValueOf(row).FieldByName("UpdatedAt")
	if !at.IsValid() {
		return ""
	}
	return fmt.Sprint(at.Interface())
}

// wrongChanges compares got with the changes that the difference between before and after
// requires. It returns a sorted list of messages, one for each missing, unexpected or misplaced
// change.
func wrongChanges(before, after fixture.Everything, got []change.Change) (wrong []string) {
	last := map[change.Record]change.Action{}
	for i, c := range got {
		if i > 0 && got[i-1].Position >= c.Position {
			wrong = append(wrong, fmt.Sprintf("%v is not after %v", c, got[i-1]))
		}
		last[c.Record] = c.Action
	}
	old, now := recordVersions(before), recordVersions(after)
	for r, version := range now {
		action, changed := last[r]
		switch was, had := old[r]; {
		case !had && (!changed || action == change.Deleted):
			wrong = append(wrong, fmt.Sprintf("%v was created, but its last change is %q", r, action))
		case had && was != version && action != change.Updated:
			wrong = append(wrong, fmt.Sprintf("%v was updated, but its last change is %q", r, action))
		case had && was == version && changed && r.Type != "groups": // Everything does not contain the courses of groups
			wrong = append(wrong, fmt.Sprintf("%v was not changed, but its last change is %q", r, action))
		}
	}
	for r := range old {
		if _, has := now[r]; !has && last[r] != change.Deleted {
			wrong = append(wrong, fmt.Sprintf("%v was deleted, but its last change is %q", r, last[r]))
		}
	}
	for r, action := range last {
		_, had := old[r]
		_, has := now[r]
		if !had && !has && action != change.Deleted || !isRecord(r) {
			wrong = append(wrong, fmt.Sprintf("%v does not exist, but its last change is %q", r, action))
		}
	}
	slices.Sort(wrong)
	return wrong
}

func isRecord(r change.Record) bool {
	for word := range strings.SplitSeq(r.ID, ":") {
		if id, ok := text.UUID(word); !ok || id.String() != word {
			return false
		}
	}
	return r.Type != ""
}
