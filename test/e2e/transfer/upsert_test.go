package transfer_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/school"
)

// authoringLines returns smallSchool with further content: an activity and a quiz without learner
// data, and an archived activity.
func authoringLines() string {
	more := []string{
		`{"kind":"quiz","name":"Sums","questions":[{"key":"sum","text":"1 + 1?","choices":[{"text":"2","correct":true},{"text":"3"}]}]}`,
		`{"kind":"assignment","title":"Portrait"}`,
		`{"kind":"activity","course":"drawing","title":"Extra","type":"text"}`,
		`{"kind":"activity","course":"drawing","title":"Gone","type":"text","archived_at":"2026-03-01T00:00:00Z"}`,
	}
	return renamed(lines(append(append(append([]string(nil), smallSchool[:13]...), more...), smallSchool[13:]...)...), unique("Author"))
}

const (
	readLine  = `"title":"Read","key":"read","position":1,`
	watchLine = `"title":"Watch","key":"watch","position":2,`
	testLine  = `"title":"Test","key":"test","position":3,`
	drawLine  = `"title":"Draw","key":"draw","position":4,`
	extraLine = `"title":"Extra","key":"extra","position":5,"type":"text",`
	roundLine = `{"key":"question-1","text":"Round?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}`
	moreLine  = `{"key":"more","text":"Square?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}`
)

var updated = regexp.MustCompile(`,"updated_at":"[^"]*"`)

// withoutUpdatedAt returns the lines of text, without updated_at in lines that are not in before.
func withoutUpdatedAt(text, before string) []string {
	was := map[string]bool{}
	for line := range strings.Lines(before) {
		was[line] = true
	}
	var all []string
	for line := range strings.Lines(text) {
		if !was[line] {
			line = updated.ReplaceAllString(line, "")
		}
		all = append(all, line)
	}
	return all
}

// TestEditedFileUpdatesSchool checks that an import applies every change of the catalog in an
// edited file, so that the next export equals the edited file.
func TestEditedFileUpdatesSchool(t *testing.T) {
	tests := []struct {
		name    string
		edits   []string // old and new texts in turn
		kind    string
		changed int
	}{
		{"name of a course", []string{`"name":"Drawing"`, `"name":"Drawing II"`}, "course", 1},
		{"categories of a course", []string{`"categories":["Design"]`, `"categories":[]`}, "course", 1},
		{"instructors of a course", []string{`"instructors":[{"person":"bob@example.test","role":"instructor"}]`, `"instructors":[]`}, "course", 1},
		{"words of a question", []string{`"text":"Round?"`, `"text":"Round or not?"`}, "quiz", 1},
		{"key to a question", []string{`"text":"3"}`, `"text":"3","correct":true}`}, "quiz", 1},
		{"an additional question", []string{roundLine, roundLine + "," + moreLine}, "quiz", 1},
		{"an additional question before it", []string{
			roundLine, moreLine + "," + roundLine, `"question":1,"of":1`, `"question":2,"number":1,"of":1`,
		}, "quiz", 1},
		{"an archived question", []string{
			roundLine, moreLine + "," + strings.TrimSuffix(roundLine, "}") + `,"archived":true}`,
			`"question":1,"of":1`, `"question":2,"number":1,"of":1`,
		}, "quiz", 1},
		{"a restored question", []string{roundLine, roundLine + "," + strings.TrimSuffix(moreLine, "}") + `,"archived":true}`}, "quiz", 1},
		{"another order", []string{
			readLine, strings.Replace(readLine, "1", "2", 1), watchLine, strings.Replace(watchLine, "2", "1", 1),
		}, "activity", 2},
		{"titles", []string{`"Read"`, `"Reading"`, `"Extra"`, `"Extras"`}, "activity", 2},
		{"swapped titles", []string{`"title":"Watch","key":"watch","position":2,"type":"video","seconds":60`, `"title":"Watch","key":"extra","position":5,"type":"text"`, extraLine, `"title":"Extra","key":"watch","position":2,"type":"video","seconds":60,`, `"activity":"Watch"`, `"activity":"Extra"`}, "activity", 2},
		{"length", []string{`"seconds":60`, `"seconds":61`}, "activity", 1},
		{"text", []string{extraLine, extraLine + `"text":"# More\n<b>\tω</b>",`}, "activity", 1},
		{"another text", []string{`"text":"Draw *this*."`, `"text":"Draw *that*."`}, "activity", 1},
		{"address of a video", []string{`"seconds":60`, `"seconds":60,"video_url":"https://media.example.test/a.mp4?b=1&c"`}, "activity", 1},
		{"type", []string{extraLine, strings.TrimSuffix(extraLine, `"text",`) + `"video","seconds":5,`}, "activity", 1},
		{"a quiz instead of a text", []string{extraLine, strings.TrimSuffix(extraLine, `"text",`) + `"quiz","quiz":"Sums",`}, "activity", 1},
		{"archived", []string{extraLine, `"title":"Extra","key":"extra","type":"text","archived_at":"2026-05-01T00:00:00.000Z",`}, "activity", 1},
		{"archiving a started activity", []string{
			readLine + `"type":"text",`, `"title":"Read","key":"read","type":"text","archived_at":"2026-05-01T00:00:00.000Z",`,
			watchLine, strings.Replace(watchLine, "2", "1", 1), testLine, strings.Replace(testLine, "3", "2", 1),
			drawLine, strings.Replace(drawLine, "4", "3", 1), extraLine, strings.Replace(extraLine, "5", "4", 1),
		}, "activity", 5},
		{"another time of archiving", []string{`"archived_at":"2026-03-01`, `"archived_at":"2026-03-02`}, "activity", 1},
		{"a restored activity", []string{`"key":"gone","type":"text","archived_at":"2026-03-01T00:00:00.000Z",`, `"key":"gone","position":6,"type":"text",`}, "activity", 1},
		{"nothing", nil, "activity", 0},
	}
	onEachStore(t, func(t *testing.T, h useCases) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				is := is.New(t)
				id := h.importSchool(t, authoringLines())
				before := h.export(t, id)
				edited := edit(t, before, test.edits...)
				dryRun := reading(edited)
				dryRun.DryRun = true
				dry, err := h.Transfers.Import(t.Context(), app.SystemActor(id), dryRun)
				is.NoErr(err)
				is.Equal(h.export(t, id), before)
				done, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(edited))
				is.NoErr(err)
				is.Equal(dry.Kinds, done.Kinds)
				for _, k := range done.Kinds {
					changed := 0
					if k.Kind == test.kind {
						changed = test.changed
					}
					is.Equal(k, transfer.ImportCount{Kind: k.Kind, Changed: changed, Unchanged: k.Unchanged})
				}
				after := h.export(t, id)
				is.Equal(withoutUpdatedAt(after, before), withoutUpdatedAt(edited, before))
				is.Equal(differences(t, h, id), 0)
				checkUnchanged(t, h, id, edited)
			})
		}
	})
}

// edit returns text with some parts replaced. parts contains old and new texts in turn.
func edit(t *testing.T, text string, parts ...string) string {
	t.Helper()
	for i := 0; i < len(parts); i += 2 {
		if !strings.Contains(text, parts[i]) {
			t.Fatalf("there is no %s in\n%s", parts[i], text)
		}
	}
	return strings.NewReplacer(parts...).Replace(text)
}

// checkUnchanged imports a text that describes the current state of the school, and checks that
// nothing changes.
func checkUnchanged(t *testing.T, h useCases, id school.ID, text string) {
	t.Helper()
	is := is.New(t)
	before := h.export(t, id)
	again, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
	is.NoErr(err)
	for _, k := range again.Kinds {
		is.Equal(k, transfer.ImportCount{Kind: k.Kind, Unchanged: k.Unchanged})
	}
	is.Equal(h.export(t, id), before)
}

// TestForbiddenChangesNameTheirLines checks that a forbidden change is reported with its line, even
// in a dry run, and that nothing is changed.
func TestForbiddenChangesNameTheirLines(t *testing.T) {
	const begun = "cannot be changed: learners have started the activity"
	tests := []struct {
		edits []string
		at    string // text that identifies the line
		want  string
	}{
		{[]string{`"type":"quiz","quiz":"Shapes"`, `"type":"text"`}, `"key":"test"`, "type: " + begun},
		{[]string{`"type":"quiz","quiz":"Shapes"`, `"type":"quiz","quiz":"Sums"`}, `"key":"test"`, "quiz: " + begun},
		{[]string{`"assignment":"Still life"`, `"assignment":"Portrait"`}, `"key":"draw"`, "assignment: " + begun},
		{[]string{`"type":"video","seconds":60`, `"type":"text"`}, `"key":"watch"`, "type: " + begun},
		{[]string{readLine + `"type":"text"`, readLine + `"type":"video","seconds":9`}, `"key":"read"`, "type: " + begun},
		{[]string{`"position":4`, `"position":3`}, `"key":"test"`, "position: 3 is already used in line 12"},
		{[]string{`"position":4`, `"position":-1`}, `"key":"draw"`, "position: must be between 1 and 2147483647"},
		{[]string{`"key":"watch"`, `"key":"read"`}, `"title":"Watch"`, "duplicates line 15"},
		{[]string{`"title":"Watch"`, `"title":"Read"`}, `"key":"watch"`, "duplicates line 15"},
	}
	onEachStore(t, func(t *testing.T, h useCases) {
		id := h.importSchool(t, authoringLines())
		before := h.export(t, id)
		for _, test := range tests {
			t.Run(test.at+" "+test.want, func(t *testing.T) {
				is := is.New(t)
				text := edit(t, before, append(test.edits, `"last_name":""`, `"last_name":"Lovelace"`)...)
				line := strings.Count(text[:strings.Index(text, test.at)], "\n") + 1
				for _, dry := range []bool{true, false} {
					im := reading(text)
					im.DryRun = dry
					_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), im)
					is.True(err != nil)
					detail, _, _ := strings.Cut(err.Error(), "\n") // faults that follow from the first fault may come after it
					is.Equal(detail, fmt.Sprintf("line %d: activity: %s", line, test.want))
				}
				is.Equal(h.export(t, id), before)
			})
		}
	})
}
