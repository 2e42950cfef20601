package teaching_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/query"
	"lyceum/test/kit/stores"
)

var everything = query.Query{Page: query.AllRows()}

var reviewed = regexp.MustCompile(`name="reviewed" value="([0-9a-f]+)"`)

// fingerprint returns the field with which a review is confirmed.
func fingerprint(body string) string {
	if found := reviewed.FindStringSubmatch(body); found != nil {
		return found[1]
	}
	return ""
}

// hrefs returns the addresses of the links in a page that contain a text.
func hrefs(body, text string) []string {
	var found []string
	for _, m := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(body, -1) {
		if strings.Contains(m[1], text) {
			found = append(found, m[1])
		}
	}
	return found
}

// save sends a form, checks that its effect is shown without being saved, and confirms it.
func (b *browser) save(path, effect string, fields ...string) page {
	b.t.Helper()
	is := is.New(b.t)
	review := b.post(path, fields...)
	is.Equal(review.status, http.StatusOK)
	is.True(review.has(effect))
	return b.post(path, append(fields, "reviewed", fingerprint(review.body))...)
}

func (s *server) titles(t *testing.T, course string) string {
	t.Helper()
	st, err := s.Structures.Get(t.Context(), app.SystemActor(demo.SchoolID), course)
	is.New(t).NoErr(err)
	var titles []string
	for _, a := range st.Activities {
		titles = append(titles, a.Title)
	}
	return strings.Join(titles, ", ")
}

// A course is built of all kinds of activities. Each change is saved after a review.
func TestBuildCourse(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		is.Equal(b.post("/courses", "name", "Bees").path, "/courses/bees/builder?done=1")
		const builder = "/courses/bees/builder"
		b.save(builder, "is added", "kind", "text", "title", "Hive", "text", "# Hive\r\n")
		b.save(builder, "is added", "kind", "video", "title", "Dance", "video_url", "https://media.example.test/a.mp4", "length", "3:25")
		b.save(builder, "is added", "kind", "assignment", "title", "Honey")
		quiz := []string{"kind", "quiz", "title", "Test", "q0", "What works?", "q0c0", "The queen", "q0c1", "The workers", "q0c1correct", "1", "q0c2", ""}
		b.save(builder, "is added", quiz...)
		is.Equal(s.titles(t, "bees"), "Hive, Dance, Honey, Test")

		again := b.post(builder, append(quiz, "more", "1")...)
		is.True(again.has(`name="q1"`)) // another question
		is.Equal(s.titles(t, "bees"), "Hive, Dance, Honey, Test")

		is.Equal(b.post(builder, "kind", "video", "title", "Bad", "length", "x").status, http.StatusUnprocessableEntity)
		is.Equal(b.post(builder, "kind", "quiz", "title", "Bad").status, http.StatusUnprocessableEntity)
		is.Equal(b.post(builder, "kind", "text", "title", "").status, http.StatusUnprocessableEntity)

		b.save(builder+"/test/move", "position", "to", "up")
		is.Equal(s.titles(t, "bees"), "Hive, Dance, Test, Honey")
		b.save(builder+"/dance", "length", "title", "Dance", "video_url", "https://media.example.test/a.mp4", "length", "4:00")
		form := b.get(builder + "/test")
		is.True(form.has("The workers") && form.has(`value="what-works"`))
		b.save(builder+"/test", "questions", "title", "Test", "q0key", "what-works", "q0", "What works hard?", "q0c0", "The queen", "q0c1", "The workers", "q0c1correct", "1")
		b.save(builder+"/hive/remove", "is deleted")
		is.Equal(s.titles(t, "bees"), "Dance, Test, Honey")
		is.True(b.post(builder+"/dance", "title", "Dance", "video_url", "https://media.example.test/a.mp4", "length", "4:00").has("Nothing changes."))
	})
}

// A plan is not saved if the course was changed after the plan was reviewed.
func TestReviewOfAnOldState(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		first := b.post(ownCourse+"/builder", "kind", "text", "title", "First")
		b.save(ownCourse+"/builder", "is added", "kind", "text", "title", "Second")
		p := b.post(ownCourse+"/builder", "kind", "text", "title", "First", "reviewed", fingerprint(first.body))
		is.Equal(p.status, http.StatusUnprocessableEntity)
		is.True(p.has("changed in the meantime"))
		is.True(!strings.Contains(s.titles(t, "seeing-light"), "First"))
	})
}

// Activities and questions that learners have started are archived.
func TestRemoveStartedActivity(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		p := b.save(ownCourse+"/builder/what-light-does/remove", "is archived")
		is.True(p.has("Archived activities"))
	})
}
