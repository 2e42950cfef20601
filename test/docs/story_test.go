package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// The story begins in an empty folder with the program in it, and every line
// answers as it should.
func TestTheSchoolFromNothingWorksAsPrinted(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", "lyceum")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "nomsgpack", "-o", program, "lyceum/cmd/lyceum").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, built)
	}
	lines := console(t, "A school from nothing")
	const mark = "-- "
	script := "SERVER=\ntrap '[ -z \"$SERVER\" ] || kill $SERVER 2>/dev/null || :' EXIT\n"
	for _, line := range lines {
		script += "echo '" + mark + "'\n" + line + "\necho\n"
	}
	shell := exec.CommandContext(t.Context(), "sh", "-eu")
	shell.Dir, shell.Stdin = dir, strings.NewReader(script)
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "LYCEUM_") {
			shell.Env = append(shell.Env, variable)
		}
	}
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answers := strings.Split(string(out), mark)[1:]
	is.Equal(len(answers), len(lines))

	wants := map[string]string{ // how a line begins, and what its answer holds
		`api "$URL/v2/school"`:                                 `"name":"School of Craft"`,
		`api -X PUT "$URL/v2/courses/first-joint`:              `"dry_run":true,"created":[{"key":"wood"`,
		`api -i "$URL/v2/groups/$GROUP/relationships/courses"`: "HTTP/1.1 204",
		`api -i "$URL/v2/groups/$GROUP/relationships/people"`:  "HTTP/1.1 204",
		`api "$URL/v2/events" -d`:                              `"client_id":"tablet-1"`,
		`api "$URL/v2/activities/`:                             `"course_attempt_number":1`,
		`api "$URL/v2/quizzes/`:                                `"marked_correct":true`,
		`api "$URL/v2/assignments/`:                            `"type":"assignment_submissions"`,
		`api "$URL/v2/coupons/`:                                `"type":"coupon_redemptions"`,
		`api "$URL/v2/analytics/courses"`:                      `"progress":100`,
		`api "$URL/v2/analytics/quiz_scores"`:                  `"percent_correct":100,"progress":100,"questions_completed":"1/1"`,
		`api "$URL/v2/analytics/quiz_raw_answers"`:             `"question_number":"1/1","question_text":"Which is a saw?","quiz_name":"Joints","response":"Ryoba"`,
		`curl -s "$(api "$URL/v2/submissions"`:                 "It closes, almost.",
	}
	for start, want := range wants {
		found := false
		for i, line := range lines {
			if strings.HasPrefix(line, start) && !found {
				found = true
				if !strings.Contains(answers[i], want) {
					t.Errorf("%s\n%s\nwant %s", line, answers[i], want)
				}
			}
		}
		is.True(found) // start
	}
	is.True(!strings.Contains(string(out), `"errors"`))
	feed := answers[len(answers)-4] // the list of events
	is.Equal(strings.Count(feed, `"type":"learner_viewed_activity_events"`), 1)
	copied, err := os.ReadFile(filepath.Join(dir, "copy.jsonl"))
	is.NoErr(err)
	is.True(strings.Contains(string(copied), `"email":"ada@example.test"`))
	is.True(strings.Contains(string(copied), `{"kind":"end",`))
}
