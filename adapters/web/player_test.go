package web_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/test/kit/stores"
)

const seeing = "/courses/seeing-light"

// newLearner returns a browser of a learner who has done nothing in the course seeing-light.
func newLearner(t *testing.T, a *academy) (*browser, person.ID) {
	t.Helper()
	is := is.New(t)
	p, err := a.People.Create(t.Context(), owner, person.Profile{Email: "zoe@example.test"})
	is.NoErr(err)
	c, err := a.Courses.Get(t.Context(), owner, "seeing-light")
	is.NoErr(err)
	is.NoErr(a.Enrollments.Enroll(t.Context(), owner, p.ID, []app.CourseRole{{Course: c.ID, Role: enrollment.Learner}}))
	return a.signedIn(t, "zoe@example.test"), p.ID
}

// The list of very many courses waits like other large documents. A short list does not.
func TestManyCoursesAreALargeDocument(t *testing.T) {
	is := is.New(t)
	a := newAcademy(t, func(*testing.T) stores.Backend { return stores.Memory() }, school.Open)
	b, id := newLearner(t, a)
	a.reads.Store(0)
	is.Equal(b.get("/courses").status, http.StatusOK)
	is.Equal(a.reads.Load(), int64(0))
	var roles []app.CourseRole
	for i := range 100 {
		roles = append(roles, app.CourseRole{Course: a.newCourse(t, fmt.Sprintf("Course %d", i)).ID, Role: enrollment.Learner})
	}
	is.NoErr(a.Enrollments.Enroll(t.Context(), owner, id, roles))
	is.Equal(b.get("/courses").status, http.StatusOK)
	is.Equal(a.reads.Load(), int64(1))
}

// upload submits a file in a multipart form.
func (b *browser) upload(path, name, content string) page {
	b.t.Helper()
	is := is.New(b.t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	is.NoErr(err)
	_, err = part.Write([]byte(content))
	is.NoErr(err)
	is.NoErr(form.Close())
	return b.send(http.MethodPost, b.address(path), &body, form.FormDataContentType(), "same-origin")
}

// A learner completes a course of a text, a video, a quiz and an assignment. What they do appears
// in analytics and in the event feed.
func TestLearnWholeCourse(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b, id := newLearner(t, a)
		p := b.get("/courses")
		is.True(p.has("/courses/"))
		p = b.get(seeing)
		is.Equal(p.status, http.StatusOK)
		is.True(p.has("Begin") && p.has("Progress: 0%") && p.has("Video, 11 min"))

		a.renderings.Store(0)
		text := b.get(seeing + "/what-light-does")
		is.Equal(a.renderings.Load(), int64(2)) // the text in Markdown and the page
		is.True(text.has("<strong>Direction.</strong>") && text.has("Activity 1 of 4") && text.has("Mark as completed"))
		p = b.post(seeing+"/what-light-does/complete", nil)
		// It redirects to the next activity.
		is.True(strings.HasSuffix(p.path, "/ten-minutes-at-a-window"))
		// The video is a link, because its origin is not in Config.Media.
		is.True(p.has(`<a class="button" href="https://interactive-examples.mdn.mozilla.net/`))

		is.Equal(b.post(seeing+"/ten-minutes-at-a-window/watched", url.Values{"watched": {"0.5"}}).body, "")
		is.True(!b.get(seeing + "/ten-minutes-at-a-window").has("✓ "))
		is.Equal(b.post(seeing+"/ten-minutes-at-a-window/watched", url.Values{"watched": {"0.95"}}).body, "done")
		is.True(b.get(seeing + "/ten-minutes-at-a-window").has("✓ "))

		quiz := b.get(seeing + "/do-you-see-it")
		is.True(quiz.has("Start the quiz"))
		number := 0
		a.reads.Store(0)
		is.Equal(b.get(seeing+"/do-you-see-it").status, http.StatusOK)
		is.Equal(a.reads.Load(), int64(1)) // a quiz can be large
		for p = b.get(seeing + "/do-you-see-it/questions/1"); strings.Contains(p.path, "/questions/"); number++ {
			is.True(number < 20)
			again := b.post(p.path, url.Values{"question": {hidden(p)}})
			is.Equal(again.status, http.StatusUnprocessableEntity) // an answer without a choice is refused
			is.True(again.has("Please choose an answer."))
			if number == 1 {
				is.True(b.get(seeing + "/do-you-see-it").has("Resume the quiz"))
				is.True(b.get(strings.Replace(p.path, "/2", "/1", 1)).has(" checked")) // back to the first question
			}
			p = b.post(p.path, url.Values{"question": {hidden(p)}, "choice": {"1"}})
		}
		is.True(number > 1)
		is.True(p.has("Result: ") && p.has("Take the quiz again") && p.has("✓ "))

		p = b.upload(seeing+"/your-portrait/files", "portrait.txt", "a face")
		is.Equal(p.status, http.StatusOK)
		is.True(p.has("portrait.txt") && p.has("1 KB"))
		_, file, _ := strings.Cut(p.body, `/your-portrait/files/`)
		file, _, _ = strings.Cut(file, `"`)
		got := b.get(seeing + "/your-portrait/files/" + file)
		is.Equal(got.body, "a face")
		is.Equal(got.header.Get("Content-Disposition"), "attachment; filename=portrait.txt")

		p = b.get(seeing)
		is.True(p.has("You have completed this course.") && p.has("Progress: 100%"))

		own := func(attr query.Attr) query.Query {
			return query.Query{Page: query.AllRows()}.And(query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{{ID: id.UUID}}})
		}
		done, err := a.Analytics.Completions(t.Context(), owner, own(analytics.CompletionSchema.Attr("person.id")))
		is.NoErr(err)
		is.Equal(len(done.Items), 4)
		scores, err := a.Analytics.Scores(t.Context(), owner, own(analytics.ScoreSchema.Attr("person.id")))
		is.NoErr(err)
		is.Equal(len(scores.Items), 1)
		events, err := a.Events.List(t.Context(), owner, own(event.Schema.Attr("person.id")))
		is.NoErr(err)
		watched, views := 0, map[activity.ID]int{}
		for _, e := range events.Items {
			if e.Kind == event.ViewedVideo {
				watched++
			} else {
				views[e.Activity]++
			}
		}
		is.Equal(watched, 2)
		is.True(len(views) > 3)
		for _, n := range views {
			is.True(n <= 2) // the first view begins the course attempt; after it, further visits in ten minutes add only one
		}
		files, err := a.Submissions.List(t.Context(), owner, query.Query{})
		is.NoErr(err)
		is.True(len(files.Items) > 0)
	})
}

// hidden returns the question ID in the hidden field of a page.
func hidden(p page) string {
	_, id, _ := strings.Cut(p.body, `name="question" value="`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// The pages of a course are found only by its learners, and files only by the learner who submitted
// them.
func TestPlayerIsForLearnersOfTheCourse(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b, _ := newLearner(t, a)
		p := b.upload(seeing+"/your-portrait/files", "portrait.txt", "a face")
		_, file, _ := strings.Cut(p.body, `/your-portrait/files/`)
		file, _, _ = strings.Cut(file, `"`)
		other := a.signedIn(t, jiwoo)
		for _, path := range []string{"/courses/songwriting-workshop", "/courses/none", "/courses/songwriting-workshop/your-song", seeing + "/none", seeing + "/do-you-see-it/questions/0", seeing + "/do-you-see-it/questions/99", seeing + "/do-you-see-it/questions/x", seeing + "/your-portrait/files/x"} {
			is.Equal(b.get(path).status, http.StatusNotFound)
		}
		is.Equal(other.get(seeing+"/your-portrait/files/"+file).status, http.StatusNotFound)
		boss := a.signedIn(t, "eleanor.hartley@example.test") // the owner of the school is a learner here, too
		is.Equal(boss.get(seeing+"/your-portrait/files/"+file).status, http.StatusNotFound)
		is.Equal(boss.post(seeing+"/what-light-does/complete", nil).status, http.StatusNotFound)
		is.Equal(b.post("/courses/songwriting-workshop/your-song/complete", nil).status, http.StatusNotFound)
		for _, activity := range []string{"/do-you-see-it", "/your-portrait"} { // completed by answers and files
			is.Equal(b.post(seeing+activity+"/complete", nil).status, http.StatusNotFound)
		}
		is.Equal(b.post(seeing+"/ten-minutes-at-a-window/watched", url.Values{"watched": {"2"}}).status, http.StatusBadRequest)
		is.Equal(b.post(seeing+"/what-light-does/watched", url.Values{"watched": {"1"}}).status, http.StatusForbidden)
		is.Equal(b.post(seeing+"/your-portrait/files", nil).status, http.StatusBadRequest)
		is.Equal(b.upload(seeing+"/your-portrait/files", "large", strings.Repeat("x", 3<<20)).status, http.StatusRequestEntityTooLarge)

		// Submitting a form without a session redirects to the sign-in page, which returns to the
		// activity.
		visitor := a.browser(t)
		for path, back := range map[string]string{
			seeing + "/what-light-does/complete":        seeing + "/what-light-does",
			seeing + "/do-you-see-it/questions/2":       seeing + "/do-you-see-it/questions/2",
			seeing + "/ten-minutes-at-a-window/watched": seeing + "/ten-minutes-at-a-window",
		} {
			is.Equal(visitor.post(path, nil).path, "/sign-in?return="+url.QueryEscape(back))
		}
	})
}

// No text of a course can run a script, and videos are loaded only from configured origins.
func TestPlayerEscapesTexts(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b, _ := newLearner(t, a)
		const script = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
		text, address, minute := script+"\n\n[a](javascript:alert(1))\n\n![b](https://media.example.test/b.png) ![c](https://other.example.test/c.png)", "https://media.example.test/a.mp4", int64(60)
		question := &structure.Quiz{Defined: true, Name: script, Questions: []quiz.Question{
			{Key: "one", Text: script, Choices: []quiz.Choice{{Text: script, Correct: true}, {Text: "No"}}},
		}}
		_, err := a.Structures.Replace(t.Context(), owner, "seeing-light", app.StructureUpdate{
			Check: func(structure.Structure) error { return nil },
			Plan: structure.Plan{Activities: []structure.Activity{
				{Key: "text", Title: script, Kind: activity.Text.String(), Text: &text},
				{Key: "film", Title: "Film", Kind: activity.Video.String(), Text: &text, VideoURL: &address, Duration: &minute},
				{Key: "quiz", Title: script, Kind: activity.Quiz.String(), Quiz: question},
				{Key: "work", Title: script, Kind: activity.Assignment.String(), Assignment: &structure.Assignment{Defined: true, Title: script}},
			}},
		})
		is.NoErr(err)
		c, err := a.Courses.Get(t.Context(), owner, "seeing-light")
		is.NoErr(err)
		_, err = a.Courses.Update(t.Context(), owner, c.ID, app.CourseChanges{Changes: course.Changes{Name: ptr(script)}})
		is.NoErr(err)
		b.upload(seeing+"/work/files", script, "x")
		for _, path := range []string{"/courses", seeing, seeing + "/text", seeing + "/film", seeing + "/quiz", seeing + "/quiz/questions/1", seeing + "/work"} {
			p := b.get(path)
			is.Equal(p.status, http.StatusOK)
			is.True(!p.has("<script>") && !p.has("onerror=alert(1)>") && !p.has("javascript:"))
			is.True(!strings.Contains(p.header.Get("Content-Security-Policy"), "unsafe"))
		}
		film := b.get(seeing + "/film")
		is.True(film.has(`<video controls preload="metadata" src="https://media.example.test/a.mp4"`))
		is.True(film.has(`<img src="https://media.example.test/b.png" alt="b">`) && film.has(`<a href="https://other.example.test/c.png"`))
		is.True(strings.Contains(film.header.Get("Content-Security-Policy"), "media-src 'self' https://media.example.test;"))
	})
}

func ptr[T any](v T) *T { return &v }
