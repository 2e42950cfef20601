package learning

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Submissions checks the lists of submissions.
func Submissions(t *testing.T, s *fixture.Server) {
	const all, of = "/v2/submissions", "/v2/assignments/" + records.StillLife + "/submissions"
	newest := records.AdasPage + " " + records.AdasDrawing
	checkLists(t, s, []listed{
		{all, newest},
		{all + "?sort=created_at", records.AdasDrawing + " " + records.AdasPage},
		{all + "?limit=1&page=2", records.AdasDrawing},
		{all + "?q=LOVELACE+still", newest},
		{all + "?q=ada@example+drawing", newest},
		{all + "?q=alan", ""},
		{all + "?q=page.html", ""},
		{all + "?filter[uuid][eq]=" + records.AdasPage, records.AdasPage},
		{all + "?filter[created_at][lt]=2025-11-15T10:15:00.041Z", records.AdasDrawing},
		{all + "?filter[assignment.id][eq]=" + records.StillLife, newest},
		{all + "?filter[assignment.id][eq]=" + records.Essay, ""},
		{all + "?filter[course.id][eq]=" + records.Drawing, newest},
		{all + "?filter[person.id][not_eq]=" + records.Ada, ""},
		{all + "?filter[course_attempt.id][in][]=" + records.AdasFirst, newest},
		{all + "?filter[course_attempt.id][eq]=" + records.AdasSecond, ""},
		{of, newest},
		{of + "?q=lovelace&limit=1", records.AdasPage},
		{"/v2/assignments/" + records.Essay + "/submissions", ""},
	})
	for _, id := range []string{records.Unknown, records.TheirAssignment, "x", "%00"} {
		t.Run("no assignment "+id, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Get(t, "/v2/assignments/"+id+"/submissions").Failures(t), []string{"404 " + fixture.Missing})
		})
	}
	t.Run("the document changes only with the hour of the link", func(t *testing.T) {
		is := is.New(t)
		first := s.Get(t, all) // the clock shows 16:04:05.123
		s.Clock.Advance(55 * time.Minute)
		again := s.Request("GET", all).Set("If-None-Match", first.Header.Get("ETag")).Send(t)
		is.Equal(again.Status, 304)
		s.Clock.Advance(time.Minute)
		is.True(s.Get(t, all).Body != first.Body)
	})
}

// Events checks the event feed, which is ordered by creation.
func Events(t *testing.T, s *fixture.Server) {
	const feed = "/v2/events"
	tests := []struct{ query, want string }{
		{"", "10:15 12:15 13:15 10:15"},
		{"?q=nothing", "10:15 12:15 13:15 10:15"},
		{"?limit=2&page=2", "13:15 10:15"},
		{"?sort=-created_at&limit=1", "10:15"},
		{"?sort=percentage_watched&limit=2", "12:15 13:15"},
		{"?filter[type][eq]=learner_viewed_video_activity_events", "12:15 13:15"},
		{"?filter[type]=learner_viewed_activity", "10:15 10:15"},
		{"?filter[percentage_watched][gt]=0.375", "13:15"},
		{"?filter[percentage_watched][not_eq]=0.375", "13:15"},
		{"?filter[percentage_watched][null]=1", "10:15 10:15"},
		{"?filter[person.id][eq]=" + records.Alan, "10:15"},
		{"?filter[activity.id][in][]=" + records.Light + "&filter[activity.id][in][]=" + records.TheirActivity, "12:15 13:15"},
		{"?filter[created_at][gt]=2025-11-12", "10:15"},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			is := is.New(t)
			var got []string
			for _, r := range s.Get(t, feed+tt.query).Page(t).Data {
				at, _ := r.Attributes["created_at"].(string)
				got = append(got, at[len("2025-11-12T"):len("2025-11-12T10:15")])
				is.True(r.ID == "" && r.Links == nil)
			}
			is.Equal(strings.Join(got, " "), tt.want)
		})
	}
	for _, query := range []string{"filter[uuid][eq]=1", "filter[id]=1", "sort=uuid", "filter[or][uuid][in][]=" + records.Ada} {
		t.Run(query, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Get(t, feed+"?"+query).Status, 400) // events have no id
		})
	}
}
