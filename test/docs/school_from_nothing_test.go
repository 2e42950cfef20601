package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestSchoolFromNothing runs the section "A school from nothing" of docs/tutorial.md in a new
// folder.
func TestSchoolFromNothing(t *testing.T) {
	is := is.New(t)
	dir := workDir(t)
	lines := console(t, "docs/tutorial.md", "A school from nothing")
	responses := shell(t, dir, lines)

	wants := map[string]string{ // a command begins with start of a command line, and a part of its response
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
				if !strings.Contains(responses[i], want) {
					t.Errorf("%s\n%s\nwant %s", line, responses[i], want)
				}
			}
		}
		is.True(found) // start
	}
	is.True(!strings.Contains(strings.Join(responses, ""), `"errors"`))
	feed := responses[len(responses)-4] // the response with the list of events
	is.Equal(strings.Count(feed, `"type":"learner_viewed_activity_events"`), 1)
	copied, err := os.ReadFile(filepath.Join(dir, "copy.jsonl"))
	is.NoErr(err)
	is.True(strings.Contains(string(copied), `"email":"ada@example.test"`))
	is.True(strings.Contains(string(copied), `{"kind":"end",`))
}
