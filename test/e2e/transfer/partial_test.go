package transfer_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
)

var keyAndPosition = regexp.MustCompile(`"key":"([a-z-]+)","position":([0-9]+)`)

// activityOrder returns the keys of the activities of the file's only course, in order.
func activityOrder(text string) string {
	keys := make([]string, 20)
	for _, m := range keyAndPosition.FindAllStringSubmatch(text, -1) {
		keys[m[2][0]-'0'] += " " + m[1]
	}
	return strings.TrimSpace(strings.Join(keys, ""))
}

// partialFile returns a file with only some lines.
func partialFile(text ...string) string {
	return lines(append(append([]string{`{"kind":"school","format":1,"name":"X"}`}, text...), `{"kind":"end"}`)...)
}

// TestFileWithSomeActivities checks that an import neither removes nor archives records that the
// file does not contain. It moves such records only to make room for the records in the file.
func TestFileWithSomeActivities(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", nil, "read watch test draw extra"},
		{"the last activity moved to the start", []string{`{"kind":"activity","course":"drawing","title":"Extra","key":"extra","position":1,"type":"text"}`}, "extra read watch test draw"},
		{"the first activity moved down", []string{`{"kind":"activity","course":"drawing","title":"Read","position":3,"type":"text"}`}, "watch test read draw extra"},
		{"a position past the end", []string{`{"kind":"activity","course":"drawing","title":"Read","position":70,"type":"text"}`}, "watch test draw extra read"},
		{"no position", []string{`{"kind":"activity","course":"drawing","title":"Readings","key":"read","type":"text"}`}, "read watch test draw extra"},
		{"a new activity", []string{`{"kind":"activity","course":"drawing","title":"New","type":"text"}`}, "read watch test draw extra new"},
		{"a new activity in the middle", []string{`{"kind":"activity","course":"drawing","title":"New","position":2,"type":"text"}`}, "read new watch test draw extra"},
		{"a restored activity", []string{`{"kind":"activity","course":"drawing","title":"Gone","type":"text"}`}, "read watch test draw extra gone"},
		{"two", []string{
			`{"kind":"activity","course":"drawing","title":"Gone","position":1,"type":"text"}`,
			`{"kind":"activity","course":"drawing","title":"Extra","type":"text","archived_at":"2026-05-01T00:00:00Z"}`,
		}, "gone read watch test draw"},
		{"started in the file", []string{
			`{"kind":"activity","course":"drawing","title":"Extra","type":"video","seconds":100}`,
			`{"kind":"attempt","course":"drawing","person":"ada@example.test","number":2,"completed":[{"activity":"Extra","at":"2026-05-01T10:00:00Z"}]}`,
			`{"kind":"activity","course":"drawing","title":"New","type":"text"}`,
			`{"kind":"attempt","course":"drawing","person":"ada@example.test","number":3,"completed":[{"activity":"New","at":"2026-05-01T10:00:00Z"}]}`,
		}, "read watch test draw extra new"},
		{"a new quiz at a new position", []string{
			`{"kind":"quiz","name":"New","questions":[{"text":"New?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}`,
			`{"kind":"activity","course":"drawing","title":"Extra","type":"quiz","quiz":"New","position":2}`,
		}, "read extra watch test draw"},
	}
	onEachStore(t, func(t *testing.T, h useCases) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				is := is.New(t)
				id := h.importSchool(t, authoringLines())
				text := partialFile(test.lines...)
				dryRun := reading(text)
				dryRun.DryRun = true
				dry, err := h.Transfers.Import(t.Context(), app.SystemActor(id), dryRun)
				is.NoErr(err)
				done, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
				is.NoErr(err)
				is.Equal(dry.Kinds, done.Kinds)
				is.Equal(activityOrder(h.export(t, id)), test.want)
				is.Equal(differences(t, h, id), 0)
				checkUnchanged(t, h, id, text)
			})
		}
	})
}

func TestCourseSizeIsLimited(t *testing.T) {
	is, h := is.New(t), inMemory()
	id := h.importSchool(t, authoringLines())
	before := h.export(t, id)
	var more []string
	for i := range 996 { // the course already has five activities
		more = append(more, fmt.Sprintf(`{"kind":"activity","course":"drawing","title":"New %d","type":"text"}`, i))
	}
	_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(partialFile(more...)))
	is.True(err != nil)
	is.Equal(err.Error(), "line 997: activity: course: activities: has too many elements (maximum is 1000)")
	is.Equal(h.export(t, id), before)
	_, err = h.Transfers.Import(t.Context(), app.SystemActor(id), reading(partialFile(more[1:]...)))
	is.NoErr(err)
	is.Equal(differences(t, h, id), 0)
}

// TestQuestionsMissingInLineAreKept checks that a quiz keeps questions that its line does not
// contain. They come after the questions of the line.
func TestQuestionsMissingInLineAreKept(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, authoringLines())
		text := partialFile(`{"kind":"quiz","name":"Shapes","questions":[`+moreLine+`]}`,
			`{"kind":"quiz","name":"Sums","questions":[`+moreLine+`,{"key":"sum","text":"1 + 2?","choices":[{"text":"2"},{"text":"3","correct":true}],"archived":true}]}`)
		_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
		is.NoErr(err)
		after := h.export(t, id)
		is.True(strings.Contains(after, `"name":"Shapes","questions":[`+moreLine+`,`+roundLine+`]`))
		is.True(strings.Contains(after, `"questions":[`+moreLine+`,{"key":"sum","text":"1 + 2?",`)) // archived, not deleted
		is.True(strings.Contains(after, `"question":2,"number":1,"of":1,"response":"Yes"`))
		is.Equal(differences(t, h, id), 0)
		checkUnchanged(t, h, id, text)

		// An answer refers to a question by its position in the line of the quiz, not in the
		// school.
		answered := partialFile(`{"kind":"quiz","name":"Shapes","questions":[`+roundLine+`]}`,
			`{"kind":"attempt","course":"drawing","person":"ada@example.test","number":2}`,
			`{"kind":"quiz_attempt","course":"drawing","person":"ada@example.test","attempt":2,"activity":"Test","number":1,"answers":[{"question":1,"response":"No","at":"2026-05-01T10:01:00Z"}]}`)
		_, err = h.Transfers.Import(t.Context(), app.SystemActor(id), reading(answered))
		is.NoErr(err)
		is.True(strings.Contains(h.export(t, id), `"name":"Shapes","questions":[`+roundLine+`,`+moreLine+`]`))
		is.True(strings.Contains(h.export(t, id), `"answers":[{"question":1,"of":1,"response":"No"`))
		is.Equal(differences(t, h, id), 0)
	})
}

// TestImportedLearnerDataFreezesActivity checks that learner data in the same file prevents changes
// of an activity, even in a dry run.
func TestImportedLearnerDataFreezesActivity(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		id := h.importSchool(t, authoringLines())
		before := h.export(t, id)
		text := partialFile(
			`{"kind":"event","type":"viewed","person":"ada@example.test","course":"drawing","activity":"Extra","created_at":"2026-05-01T10:00:00Z"}`,
			`{"kind":"activity","course":"drawing","title":"Extra","type":"video","seconds":100}`)
		for _, dry := range []bool{true, false} {
			is := is.New(t)
			im := reading(text)
			im.DryRun = dry
			_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), im)
			is.True(err != nil)
			is.Equal(err.Error(), "line 3: activity: type: cannot be changed: learners have started the activity")
			is.Equal(h.export(t, id), before)
		}
	})
}
