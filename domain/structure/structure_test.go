package structure_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

var (
	then = time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)
	now  = then.Add(time.Hour)
	of   = course.ID{UUID: uuid.UUID{15: 1}}
	test = quiz.ID{UUID: uuid.UUID{15: 2}}
)

// numbered returns a generator of ascending ids.
func numbered() func() uuid.UUID {
	n := byte(100)
	return func() uuid.UUID {
		n++
		return uuid.UUID{15: n}
	}
}

func question(key string) quiz.Question {
	return quiz.Question{Key: key, Text: key + "?", Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}}}
}

// before returns the structure of a course with a text, a quiz and an archived text.
func before() structure.Structure {
	gone := then
	asked := question("one")
	asked.ID = quiz.QuestionID{UUID: uuid.UUID{15: 9}}
	one := func(n byte, key string, position int, content activity.Content) activity.State {
		return activity.State{
			ID: activity.ID{UUID: uuid.UUID{15: 10 + n}}, Course: of, Slot: activity.Slot{Key: key, Position: position},
			Title: key, Content: content, CreatedAt: then, UpdatedAt: then,
		}
	}
	old := one(3, "old", 0, activity.TextContent())
	old.ArchivedAt = &gone
	return structure.New(
		of, []activity.State{old, one(2, "quiz", 2, activity.QuizContent(test)), one(1, "text", 1, activity.TextContent())},
		map[quiz.ID]quiz.State{test: {ID: test, Name: "Test", Questions: []quiz.Question{asked}, CreatedAt: then, UpdatedAt: then}},
		map[assignment.ID]assignment.State{},
	)
}

func asks(keys ...string) *structure.Quiz {
	q := &structure.Quiz{Defined: true, Name: "Test"}
	for _, key := range keys {
		q.Questions = append(q.Questions, question(key))
	}
	return q
}

func TestPlanOfTheSameStructureChangesNothing(t *testing.T) {
	is := is.New(t)
	r, err := before().Revise(structure.Plan{Activities: []structure.Activity{
		{Key: "text", Title: "text", Kind: "text"}, {Key: "quiz", Title: "quiz", Kind: "quiz", Quiz: asks("one")},
	}}, structure.Usage{}, numbered(), now)
	is.NoErr(err)
	is.True(r.Empty())
	is.Equal(r.Report, structure.Report{Unchanged: 2})
	is.Equal(r.After.Activities, before().Activities)
	is.Equal(r.Progress, nil)
}

func TestActivitiesMissingFromThePlan(t *testing.T) {
	for _, begun := range []bool{false, true} {
		t.Run(fmt.Sprint(begun), func(t *testing.T) {
			is, was := is.New(t), before()
			text := was.Activities[0]
			r, err := was.Revise(structure.Plan{Activities: []structure.Activity{
				{Key: "old", Title: "Back", Kind: "text"}, {Key: "quiz", Title: "quiz", Kind: "quiz", Quiz: asks("two")},
			}}, structure.Usage{
				Activities: map[activity.ID]bool{text.ID: begun}, Quizzes: map[quiz.ID]bool{test: begun},
			}, numbered(), now)
			is.NoErr(err)
			is.Equal(r.Report.Restored, []structure.Entry{{Key: "old", Kind: activity.Text}})
			is.Equal(r.Report.Changed, []structure.Change{{Entry: structure.Entry{Key: "quiz", Kind: activity.Quiz}, Fields: []string{"quiz"}}})
			is.Equal(r.RescoredQuizzes, []quiz.ID{test})
			is.Equal(r.Progress, []decimal.Percent{0, 5000, decimal.OneHundred})
			gone := []structure.Entry{{Key: "text", Kind: activity.Text}}
			questions := r.After.Quizzes[test]
			is.Equal(questions.Questions[0].Key, "two")
			if begun {
				is.Equal(r.Report.Archived, gone)
				is.True(r.After.Archived[0].Archived())
				is.Equal(questions.Archived[0].Key, "one")
			} else {
				is.Equal(r.Report.Deleted, gone)
				is.Equal(r.Removed, []activity.ID{text.ID})
				is.Equal(len(questions.Archived)+len(r.After.Archived), 0)
			}
		})
	}
}

func TestPlanArchives(t *testing.T) {
	is, was := is.New(t), before()
	late := now.Add(time.Hour)
	text, exam, old := structure.PlanOf(was.Activities[0]), structure.PlanOf(was.Activities[1]), structure.PlanOf(was.Archived[0])
	r, err := was.Revise(structure.Plan{Activities: []structure.Activity{text, exam, old}}, structure.Usage{}, numbered(), now)
	is.NoErr(err)
	is.True(r.Empty()) // an archived activity is not archived again
	is.Equal(r.After, was)

	text.ArchivedAt, old.ArchivedAt = &late, &late
	r, err = was.Revise(structure.Plan{Activities: []structure.Activity{
		text, exam, old, {Key: "new", Title: "New", Kind: "text", ArchivedAt: &late},
	}}, structure.Usage{}, numbered(), now)
	is.NoErr(err)
	is.Equal(r.Report, structure.Report{
		Archived: []structure.Entry{{Key: "text", Kind: activity.Text}},
		Changed:  []structure.Change{{Entry: structure.Entry{Key: "quiz", Kind: activity.Quiz}, Fields: []string{"position"}}},
	})
	is.Equal(r.Removed, nil)
	is.Equal(r.Progress, []decimal.Percent{0, decimal.OneHundred})
	is.Equal(len(r.After.Activities), 1)
	var keys []string
	for _, a := range r.After.Archived {
		keys = append(keys, a.Key)
		is.Equal(a.Position, 0)
		is.Equal(*a.ArchivedAt, late)
		is.Equal(a.UpdatedAt, now)
	}
	is.Equal(keys, []string{"new", "old", "text"})
}

func TestPlanOf(t *testing.T) {
	one, hour, none, words, address := assignment.ID{UUID: uuid.UUID{1}}, int64(3600), "", "# Words", "https://media.example.test/a.mp4"
	for _, tc := range []struct {
		content activity.Content
		want    structure.Activity
	}{
		{activity.TextContent(), structure.Activity{Kind: "text", Text: &none}},
		{activity.Content{Kind: activity.Text, Text: words}, structure.Activity{Kind: "text", Text: &words}},
		{activity.VideoContent(time.Hour), structure.Activity{Kind: "video", Duration: &hour, VideoURL: &none, Text: &none}},
		{activity.Content{Kind: activity.Video, Duration: time.Hour, VideoURL: address}, structure.Activity{Kind: "video", Duration: &hour, VideoURL: &address, Text: &none}},
		{activity.QuizContent(test), structure.Activity{Kind: "quiz", Quiz: &structure.Quiz{ID: test}, Text: &none}},
		{activity.AssignmentContent(one), structure.Activity{Kind: "assignment", Assignment: &structure.Assignment{ID: one}, Text: &none}},
	} {
		tc.want.Key, tc.want.Title = "key", "Title"
		is.New(t).Equal(structure.PlanOf(activity.State{Slot: activity.Slot{Key: "key", Position: 3}, Title: "Title", Content: tc.content}), tc.want)
	}
}

func TestReviseReturnsAllFaults(t *testing.T) {
	is, was := is.New(t), before()
	second, address, tooLong := int64(1), "http://media.example.test/a.mp4", strings.Repeat("x", activity.MaxText+1)
	_, err := was.Revise(structure.Plan{Activities: []structure.Activity{
		{Key: "text", Title: "", Kind: "quiz", Quiz: asks("one")},
		{Key: "text", Title: "Twice", Kind: "text"},
		{Key: "", Title: "No key", Kind: "video"},
		{Key: "a", Title: "A", Kind: "film"},
		{Key: "b", Title: "B", Kind: "quiz", Quiz: asks("x", "x", "")},
		{Key: "c", Title: "C", Kind: "assignment", Assignment: &structure.Assignment{ID: assignment.ID{UUID: uuid.UUID{1}}}},
		{Key: "d", Title: "D", Kind: "text", Quiz: asks("one")},
		{Key: "e", Title: "E", Kind: "quiz", Quiz: &structure.Quiz{}},
		{Key: "f", Title: "F", Kind: "text", Text: &tooLong, VideoURL: &address},
		{Key: "g", Title: "G", Kind: "video", Duration: &second, VideoURL: &address, Text: &tooLong},
	}}, structure.Usage{Activities: map[activity.ID]bool{was.Activities[0].ID: true}}, numbered(), now)
	found := map[string]bool{}
	for _, f := range fault.All(err) {
		found[f.Field] = true
	}
	for _, field := range []string{
		"activities[0].title", "activities[0].kind", "activities[1].key", "activities[2].key", "activities[2].duration",
		"activities[3].kind", "activities[4].quiz.questions[1].key", "activities[4].quiz.questions[2].key",
		"activities[5].assignment.id", "activities[6].quiz", "activities[7].quiz",
		"activities[8].text", "activities[8].video_url", "activities[9].text", "activities[9].video_url",
	} {
		is.True(found[field]) // there is a fault on field
	}
	is.Equal(len(found), 15)
	_, err = was.Revise(structure.Plan{Activities: make([]structure.Activity, 1001)}, structure.Usage{}, numbered(), now)
	is.Equal(len(fault.All(err)), 1)
}

func TestRecords(t *testing.T) {
	text := structure.Activity{Key: "text", Title: "text", Kind: "text"}
	exam := structure.Activity{Key: "quiz", Title: "quiz", Kind: "quiz", Quiz: asks("one")}
	other := structure.Activity{Key: "quiz", Title: "quiz", Kind: "quiz", Quiz: asks("one", "two")}
	essay := structure.Activity{Key: "essay", Title: "Essay", Kind: "assignment", Assignment: &structure.Assignment{Defined: true, Title: "Essay"}}
	renamed := structure.Activity{Key: "text", Title: "Renamed", Kind: "text"}
	for name, tc := range map[string]struct {
		plan []structure.Activity
		want int
	}{
		"nothing":                      {[]structure.Activity{text, exam}, 0},
		"a changed activity":           {[]structure.Activity{renamed, exam}, 1},
		"a new activity and its work":  {[]structure.Activity{text, exam, essay}, 2},
		"a removed and a moved one":    {[]structure.Activity{exam}, 2},
		"a quiz and its two questions": {[]structure.Activity{text, other}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			r, err := before().Revise(structure.Plan{Activities: tc.plan}, structure.Usage{}, numbered(), now)
			is.NoErr(err)
			is.Equal(r.Records(), tc.want)
		})
	}
}

// Check does the work of Revise that needs no structure, and changes no result.
func TestCheckedPlan(t *testing.T) {
	long := asks("one", "two")
	for i := range long.Questions {
		long.Questions[i].Choices = nil
		for j := range quiz.MaxChoices {
			long.Questions[i].Choices = append(long.Questions[i].Choices, quiz.Choice{Text: fmt.Sprint(j, strings.Repeat("q\u0301\u0323", 50)), Correct: true})
		}
	}
	for name, asked := range map[string]*structure.Quiz{
		"valid": long, "a question without a key": asks("one", ""), "faults": {Defined: true, Questions: []quiz.Question{question("one"), question("one")}},
	} {
		for kind, key := range map[string]string{"a new quiz": "exam", "an existing quiz": "quiz"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				is, was := is.New(t), before()
				unchecked := *asked
				plan := structure.Plan{Activities: []structure.Activity{{Key: key, Title: "Quiz", Kind: "quiz", Quiz: &unchecked}}}
				revise := func() (structure.Revision, error) { return was.Revise(plan, structure.Usage{}, numbered(), now) }
				want, wantErr := revise()
				before := testing.AllocsPerRun(1, func() { _, _ = revise() })
				plan.Check()
				got, err := revise()
				is.Equal(got, want)
				is.Equal(fault.All(err), fault.All(wantErr))
				if name == "valid" {
					is.True(testing.AllocsPerRun(1, func() { _, _ = revise() }) < before/10)
				}
			})
		}
	}
}
