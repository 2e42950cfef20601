package apitest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
)

// submissions checks the lists of submissions.
func submissions(t *testing.T, s *server) {
	const all, of = "/v2/submissions", "/v2/assignments/" + stillLife + "/submissions"
	newest := adasPage + " " + adasDrawing
	s.lists(t, []listed{
		{all, newest},
		{all + "?sort=created_at", adasDrawing + " " + adasPage},
		{all + "?limit=1&page=2", adasDrawing},
		{all + "?q=LOVELACE+still", newest},
		{all + "?q=ada@example+drawing", newest},
		{all + "?q=alan", ""},
		{all + "?q=page.html", ""},
		{all + "?filter[uuid][eq]=" + adasPage, adasPage},
		{all + "?filter[created_at][lt]=2025-11-15T10:15:00.041Z", adasDrawing},
		{all + "?filter[assignment.id][eq]=" + stillLife, newest},
		{all + "?filter[assignment.id][eq]=" + essay, ""},
		{all + "?filter[course.id][eq]=" + drawing, newest},
		{all + "?filter[person.id][not_eq]=" + ada, ""},
		{all + "?filter[course_attempt.id][in][]=" + adasFirst, newest},
		{all + "?filter[course_attempt.id][eq]=" + adasSecond, ""},
		{of, newest},
		{of + "?q=lovelace&limit=1", adasPage},
		{"/v2/assignments/" + essay + "/submissions", ""},
	})
	for _, id := range []string{unknown, theirAssignment, "x", "%00"} {
		t.Run("no assignment "+id, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.get(t, "/v2/assignments/"+id+"/submissions").failures(t), []string{"404 " + missing})
		})
	}
	t.Run("the document changes only with the hour of the link", func(t *testing.T) {
		is := is.New(t)
		first := s.get(t, all) // the clock shows 16:04:05.123
		s.clock.Advance(55 * time.Minute)
		again := s.request("GET", all).set("If-None-Match", first.header.Get("ETag")).send(t)
		is.Equal(again.status, 304)
		s.clock.Advance(time.Minute)
		is.True(s.get(t, all).body != first.body)
	})
}

// events checks the event feed, which is ordered by creation.
func events(t *testing.T, s *server) {
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
		{"?filter[person.id][eq]=" + alan, "10:15"},
		{"?filter[activity.id][in][]=" + light + "&filter[activity.id][in][]=" + theirActivity, "12:15 13:15"},
		{"?filter[created_at][gt]=2025-11-12", "10:15"},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			is := is.New(t)
			var got []string
			for _, r := range s.get(t, feed+tt.query).page(t).Data {
				at, _ := r.Attributes["created_at"].(string)
				got = append(got, at[len("2025-11-12T"):len("2025-11-12T10:15")])
				is.True(r.ID == "" && r.Links == nil)
			}
			is.Equal(strings.Join(got, " "), tt.want)
		})
	}
	for _, query := range []string{"filter[uuid][eq]=1", "filter[id]=1", "sort=uuid", "filter[or][uuid][in][]=" + ada} {
		t.Run(query, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.get(t, feed+"?"+query).status, 400) // events have no id
		})
	}
}

// personDeletion checks what is deleted together with a person.
func personDeletion(t *testing.T, s *server) {
	is := is.New(t)
	link := strings.TrimPrefix(downloadOf(t, s, adasDrawing), base)
	is.Equal(s.fetch(t, "GET", link).status, 200)
	is.Equal(s.send(t, "DELETE", "/v1/people/"+ada, "").status, 204)
	is.Equal(s.get(t, "/v1/analytics/courses").ids(t), rowAlan)
	is.Equal(s.get(t, "/v1/analytics/quiz_scores").numberedIDs(t), "2")
	is.Equal(len(s.get(t, "/v1/analytics/quiz_raw_answers").page(t).Data), 1)
	is.Equal(s.get(t, "/v2/submissions").ids(t), "")
	is.Equal(len(s.get(t, "/v2/events").page(t).Data), 1)
	is.Equal(s.fetch(t, "GET", link).status, 404) // even before the file is deleted

	queued, err := s.queue.List(context.Background(), jobs.FileCleanupKind)
	is.NoErr(err)
	is.Equal(len(queued), 2)
	for range queued {
		found, err := s.discards.DeleteNext(t.Context())
		is.NoErr(err)
		is.True(found)
	}
	for _, id := range []string{adasDrawing, adasPage} {
		_, err := s.files.Open(t.Context(), usecase.FilesOf(s.own)+id)
		is.True(err != nil)
	}
	_, err = s.files.Open(t.Context(), usecase.FilesOf(s.theirs)+theirSubmission)
	is.NoErr(err)
}
