package storetest

import (
	"slices"

	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// withoutHidden returns v without the values that the rows of a list may lack: names of other
// records, which are used only to filter and sort.
func withoutHidden(v any) any {
	switch v := v.(type) {
	case []analytics.CourseProgress:
		return without(v, func(r *analytics.CourseProgress) { r.PersonName, r.PersonEmail, r.CourseName = "", "", "" })
	case []analytics.QuizScore:
		return without(v, func(r *analytics.QuizScore) {
			r.PersonName, r.PersonEmail, r.CourseName, r.QuizName, r.ActivityTitle = "", "", "", "", ""
		})
	case []analytics.RawAnswer:
		return without(v, func(r *analytics.RawAnswer) { r.PersonName, r.PersonEmail = "", "" })
	case []analytics.QuizAttempt:
		return without(v, func(r *analytics.QuizAttempt) {
			r.PersonName, r.PersonEmail, r.CourseName, r.QuizName, r.ActivityTitle = "", "", "", "", ""
		})
	case []analytics.Completion:
		return without(v, func(r *analytics.Completion) {
			r.PersonName, r.PersonEmail, r.CourseName, r.ActivityTitle = "", "", "", ""
		})
	case []submission.Summary:
		return without(v, withoutNames)
	case submission.Summary:
		withoutNames(&v)
		return v
	case []redemption.Summary:
		return without(v, withoutName)
	case redemption.Summary:
		withoutName(&v)
		return v
	case []any:
		all := slices.Clone(v)
		for i, one := range all {
			all[i] = withoutHidden(one)
		}
		return all
	case everything:
		v.CourseAnalytics = withoutHidden(v.CourseAnalytics).([]analytics.CourseProgress)
		v.QuizScores = withoutHidden(v.QuizScores).([]analytics.QuizScore)
		v.RawAnswers = withoutHidden(v.RawAnswers).([]analytics.RawAnswer)
		v.QuizAttempts = withoutHidden(v.QuizAttempts).([]analytics.QuizAttempt)
		v.Completions = withoutHidden(v.Completions).([]analytics.Completion)
		v.Submissions = withoutHidden(v.Submissions).([]submission.Summary)
		v.Redemptions = withoutHidden(v.Redemptions).([]redemption.Summary)
		return v
	}
	return v
}

// page applies withoutHidden to a page of a list.
func page[T any](of query.Result[T]) query.Result[T] {
	of.Items = withoutHidden(of.Items).([]T)
	return of
}

func withoutNames(s *submission.Summary) {
	s.PersonName, s.PersonEmail, s.AssignmentTitle, s.CourseName = "", "", "", ""
}

func withoutName(r *redemption.Summary) { r.PersonName, r.PersonEmail = "", "" }

// without returns copies of rows to which blank has been applied.
func without[T any](rows []T, blank func(*T)) []T {
	rows = slices.Clone(rows)
	for i := range rows {
		blank(&rows[i])
	}
	return rows
}

// countBy returns the number of rows whose attribute equals value.
func countBy[T any](s tenant, list ports.Lister[T], schema query.Schema[T], attr, value string) int {
	s.t.Helper()
	found, err := list.List(s.ctx(), query.Query{Where: query.Cond{
		Attr: schema.Attr(attr), Op: query.Eq, Values: []query.Value{textValue(value)},
	}})
	s.must(err)
	return len(found.Items)
}
