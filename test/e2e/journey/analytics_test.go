package journey_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/matryer/is"
)

const nobody = "00000000-0000-0000-0000-000000000000"

// analytics compares all analytics of the school with the expected rows.
func (s *journey) analytics(t *testing.T) {
	is := is.New(t)
	var progress []progressRow
	answered := map[string]bool{}
	for _, tries := range s.expected.attempts {
		for _, try := range tries {
			answered[try.id] = true
		}
	}
	for _, row := range s.all(t, "/v2/analytics/courses") {
		person, course := relatedID(row, "person"), relatedID(row, "course")
		attempt := relatedID(row, "course_attempt")
		is.Equal(text(row, "id"), person+":"+course+":"+cmp.Or(attempt, nobody))
		if attempt == "" {
			attempt = "none"
		} else if !answered[attempt] {
			attempt = "unreported"
		}
		progress = append(progress, progressRow{
			person, course, attempt, text(row, "attributes.enrolled_at"),
			text(row, "attributes.last_activity_completed_at"), number(row, "progress"),
		})
	}
	compareRows(t, progress, s.expected.progress(s.enrolled(t), s.courses))

	var scores []scoreRow
	ids := map[any]bool{}
	for _, row := range s.all(t, "/v2/analytics/quiz_scores") {
		ids[at(row, "id").(float64)] = true
		scores = append(scores, scoreRow{
			relatedID(row, "person"), relatedID(row, "course"), relatedID(row, "activity"), relatedID(row, "quiz"),
			number(row, "course_attempt_number"), text(row, "attributes.last_question_answered_at"),
			number(row, "percent_correct"), number(row, "progress"), text(row, "attributes.questions_completed"),
		})
	}
	compareRows(t, scores, s.expected.scores(s.courses))
	is.Equal(len(ids), len(scores)) // all ids are different

	var answers []answerRow
	for _, row := range s.all(t, "/v2/analytics/quiz_raw_answers") {
		shown := func(name string) string { return text(row, "attributes."+name) }
		answers = append(answers, answerRow{
			text(row, "id"), relatedID(row, "person"), shown("activity_title"), number(row, "course_attempt_number"),
			shown("course_name"), shown("date_answered"), strconv.FormatBool(at(row, "attributes.marked_correct").(bool)),
			shown("question_number"), shown("question_text"), shown("quiz_name"), shown("response"),
		})
	}
	compareRows(t, answers, s.expected.answers(s.courses))
	s.events(t)
}

// events compares the feed with the expected events, including their order.
func (s *journey) events(t *testing.T) {
	is := is.New(t)
	var feed []reportedEvent
	before := ""
	for _, row := range s.all(t, "/v2/events") {
		h := reportedEvent{
			text(row, "type"), relatedID(row, "person"), relatedID(row, "activity"), number(row, "percentage_watched"),
			text(row, "attributes.client_id"), text(row, "attributes.created_at"),
		}
		is.True(h.at >= before) // events of one request have the same time
		before = h.at
		feed = append(feed, h)
	}
	is.Equal(feed, s.expected.feed)
}

// enrolled returns the time of each enrollment as learner. It also checks the counts of enrollments
// in courses and people.
func (s *journey) enrolled(t *testing.T) map[enrollmentKey]string {
	t.Helper()
	is := is.New(t)
	since, ofPerson := map[enrollmentKey]string{}, map[string]int{}
	for id := range s.courses {
		rows := s.all(t, "/v2/courses/"+id+"/enrollments")
		for _, row := range rows {
			is.Equal(text(row, "attributes.role"), "learner")
			since[enrollmentKey{relatedID(row, "person"), id}] = text(row, "attributes.created_at")
			ofPerson[relatedID(row, "person")]++
		}
		is.Equal(at(s.get(t, "/v2/courses/"+id).data, "attributes.enrollments_count"), float64(s.learnersOf[id]))
		is.Equal(len(rows), s.learnersOf[id])
	}
	for _, row := range s.all(t, "/v2/people") {
		is.Equal(at(row, "attributes.course_count"), float64(ofPerson[text(row, "id")]))
	}
	return since
}

// compareRows compares rows regardless of their order.
func compareRows[T comparable](t *testing.T, got, want []T) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("nothing to compare")
	}
	order := func(a, b T) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// relatedID returns the id in a to-one relationship of a row.
func relatedID(row any, name string) string { return text(row, "relationships."+name+".data.id") }

// number returns a numeric attribute as text. It returns "" if the attribute does not exist.
func number(row any, name string) string {
	n, ok := at(row, "attributes."+name).(float64)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
