package activity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

var (
	now   = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	id    = activity.ID{UUID: uuid.UUID{15: 1}}
	of    = course.ID{UUID: uuid.UUID{15: 2}}
	test  = quiz.ID{UUID: uuid.UUID{15: 3}}
	paper = assignment.ID{UUID: uuid.UUID{15: 4}}
)

var slot = activity.Slot{Key: "intro", Position: 1}

var longest = strings.Repeat("x", activity.MaxText)

// video returns the content of a video with the given address.
func video(address string) activity.Content {
	return activity.Content{Kind: activity.Video, Duration: time.Second, VideoURL: address}
}

func TestNew(t *testing.T) {
	for _, tc := range []struct {
		name    string
		content activity.Content
		want    activity.Content
	}{
		{"text", activity.TextContent(), activity.Content{Kind: activity.Text}},
		{"video", activity.VideoContent(90 * time.Second), activity.Content{Kind: activity.Video, Duration: 90 * time.Second}},
		{"shortest video", activity.VideoContent(time.Second), activity.Content{Kind: activity.Video, Duration: time.Second}},
		{"longest video", activity.VideoContent(24 * time.Hour), activity.Content{Kind: activity.Video, Duration: 24 * time.Hour}},
		{"quiz", activity.QuizContent(test), activity.Content{Kind: activity.Quiz, Quiz: test}},
		{"assignment", activity.AssignmentContent(paper), activity.Content{Kind: activity.Assignment, Assignment: paper}},
		{"longest text", activity.Content{Kind: activity.Text, Text: longest}, activity.Content{Kind: activity.Text, Text: longest}},
		{"text of a quiz", activity.Content{Kind: activity.Quiz, Quiz: test, Text: "# A\n\tb\r\n"}, activity.Content{Kind: activity.Quiz, Quiz: test, Text: "# A\n\tb\r\n"}},
		{"address", video("https://media.example.test/a.mp4"), video("https://media.example.test/a.mp4")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			a, err := activity.New(id, of, slot, " Intro ", tc.content, now)
			is.NoErr(err)
			want := activity.State{ID: id, Course: of, Slot: slot, Title: "Intro", Content: tc.want, CreatedAt: now, UpdatedAt: now}
			is.Equal(a.State(), want)
			is.Equal(activity.Restore(want).State(), want)
		})
	}
}

func TestNewReturnsAllFaults(t *testing.T) {
	for _, tc := range []struct {
		name    string
		content activity.Content
		field   string
	}{
		{"no kind", activity.Content{}, "kind"},
		{"no length", activity.VideoContent(0), "length"},
		{"a negative length", activity.VideoContent(-time.Second), "length"},
		{"half a second", activity.VideoContent(1500 * time.Millisecond), "length"},
		{"longer than a day", activity.VideoContent(24*time.Hour + time.Second), "length"},
		{"a text that is too long", activity.Content{Kind: activity.Text, Text: longest + "x"}, "text"},
		{"a text with a control character", activity.Content{Kind: activity.Text, Text: "a\x00"}, "text"},
		{"a text that is not UTF-8", activity.Content{Kind: activity.Text, Text: "\xff"}, "text"},
		{"an address without https", video("http://media.example.test/a.mp4"), "video_url"},
		{"an address with a script", video("javascript:alert(1)"), "video_url"},
		{"an address in spaces", video(" https://media.example.test/a.mp4"), "video_url"},
		{"a text with an address", activity.Content{Kind: activity.Text, VideoURL: "https://media.example.test/a.mp4"}, "video_url"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := activity.New(id, of, slot, " ", tc.content, now)
			faults := fault.All(err)
			is.Equal(len(faults), 2)
			is.Equal(faults[0].Field, "title")
			is.Equal(faults[1].Field, tc.field)
		})
	}
}

func TestParseKind(t *testing.T) {
	is := is.New(t)
	for _, k := range []activity.Kind{activity.Text, activity.Video, activity.Quiz, activity.Assignment} {
		got, err := activity.ParseKind(k.String())
		is.NoErr(err)
		is.Equal(got, k)
	}
	for _, name := range []string{"", "Text", "texts", "audio"} {
		_, err := activity.ParseKind(name)
		is.True(fault.Is(err, fault.Invalid))
		is.Equal(fault.All(err)[0].Field, "kind")
	}
}
