package teaching_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
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

// From the review, the form can be shown again with all that was typed. The browser may keep both
// pages, so that its Back button shows them again.
func TestContinueEditingAfterReview(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		const builder = ownCourse + "/builder"
		video := []string{"kind", "video", "title", "Prisms & light", "video_url", "https://media.example.test/a.mp4", "length", "3:25", "text", "Two\r\nlines"}
		review := b.post(builder, video...)
		is.True(review.has("is added") && review.has(`name="edit"`))
		is.Equal(review.header.Get("Cache-Control"), "private, no-cache")
		form := b.post(builder, append(video, "reviewed", fingerprint(review.body), "edit", "1")...)
		for _, typed := range []string{`value="Prisms &amp; light"`, `value="https://media.example.test/a.mp4"`, `value="3:25"`, ">Two\nlines<"} {
			is.True(form.has(typed))
		}
		is.Equal(b.get(ownCourse+"/add?kind=video").header.Get("Cache-Control"), "private, no-cache")
		quiz := []string{"kind", "quiz", "title", "Test", "q0", "What?", "q0c0", "This", "q0c1", "That", "q0c1correct", "1"}
		form = b.post(builder, append(quiz, "edit", "1")...)
		is.True(form.has(">What?</textarea>") && form.has(`name="q0c1correct" value="1" checked`))
		is.True(!strings.Contains(s.titles(t, "seeing-light"), "Test"))
		is.True(!b.post(builder + "/what-light-does/remove").has(`name="edit"`)) // it has no form
	})
}

// The form of a video names the addresses whose videos pages can play, and warns of others.
func TestPlayableVideos(t *testing.T) {
	for _, tt := range []struct {
		name, address string
		media         []string
		hint          string
		warned        bool
	}{
		{"no media", "https://media.example.test/a.mp4", nil, "<code>media-src</code>", true},
		{"allowed", "https://media.example.test/a.mp4", []string{"https://media.example.test"}, "<code>https://media.example.test</code>", false},
		{"another server", "https://www.example.org/watch?v=1", []string{"https://media.example.test"}, "<code>https://media.example.test</code>", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newServerWith(t, func(*testing.T) stores.Backend { return stores.Memory() }, web.Config{Media: tt.media})
			b := s.as(t, instructor)
			const warning = "cannot be played in the page"
			form := b.get(ownCourse + "/add?kind=video")
			is.True(form.has(tt.hint) && !form.has(warning))
			fields := []string{"kind", "video", "title", "Prisms", "video_url", tt.address, "length", "3:25"}
			review := b.post(ownCourse+"/builder", fields...)
			is.Equal(review.has(warning), tt.warned)
			b.post(ownCourse+"/builder", append(fields, "reviewed", fingerprint(review.body))...)
			is.Equal(b.get(ownCourse+"/builder/prisms").has(warning), tt.warned)
		})
	}
}

// A refused quiz names the question by its number, in the language of the visitor. A new question
// has the focus.
func TestRefusedQuestions(t *testing.T) {
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	b := s.as(t, instructor)
	const builder = ownCourse + "/builder"
	good := []string{"kind", "quiz", "title", "Test", "q0", "What?", "q0c0", "This", "q0c1", "That", "q0c1correct", "1"}
	for _, tt := range []struct {
		name, english, german string
		fields                []string
	}{
		{
			"no correct choice", "Question 2: has no choice that is marked as correct", "Frage 2: hat keine als richtig markierte Antwort",
			[]string{"q1", "Why?", "q1c0", "So", "q1c1", "Because"},
		},
		{"one choice", "Question 2: needs at least two choices", "Frage 2: braucht mindestens zwei Antworten", []string{"q1", "Why?", "q1c0", "So", "q1c0correct", "1"}},
		{"no text", "Question 2: can&#39;t be blank", "Frage 2: darf nicht leer sein", []string{"q1", "", "q1c0", "So", "q1c0correct", "1", "q1c1", "Because"}},
		{
			"a choice twice", "Question 2, choice 2: is used more than once", "Frage 2, Antwort 2: kommt mehrfach vor",
			[]string{"q1", "Why?", "q1c0", "So", "q1c0correct", "1", "q1c1", "so"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			for language, want := range map[string]string{"en": tt.english, "de": tt.german} {
				b.language = language
				p := b.post(builder, slices.Concat(good, tt.fields)...)
				is.Equal(p.status, http.StatusUnprocessableEntity)
				is.True(p.has("<li>" + want + "</li>"))
				is.True(p.has(`id="q1-problem">` + want))
				is.True(!p.has(`id="q0-problem"`))
			}
		})
	}
	is := is.New(t)
	b.language = "en"
	more := b.post(builder, append(good, "more", "1")...)
	is.True(more.has(`name="q1" rows="2" autofocus`) && !more.has(`name="q0" rows="2" autofocus`))
	is.True(b.post(builder, "kind", "quiz", "title", "Test").has("<li>The quiz needs at least one question</li>"))
	untitled := b.post(builder, append([]string{"kind", "quiz"}, good[4:]...)...)
	is.Equal(strings.Count(untitled.body, "<li>Title can&#39;t be blank</li>"), 1)
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

// An instructor cannot change a quiz that the course of another instructor uses too.
func TestSharedQuiz(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		system, foreign := app.SystemActor(demo.SchoolID), s.records(t).Replace("{foreign course}")
		own, err := s.Structures.Get(t.Context(), system, "seeing-light")
		is.NoErr(err)
		i := slices.IndexFunc(own.Activities, func(a activity.State) bool { return a.Content.Kind == activity.Quiz })
		shared := own.Activities[i]
		b := s.as(t, instructor)
		change := []string{"title", shared.Title, "q0", "2+2?", "q0c0", "4", "q0c1", "5", "q0c1correct", "1"}
		is.True(b.post(ownCourse+"/builder/"+shared.Key, change...).has("reviewed")) // not yet shared

		other, err := s.Structures.Get(t.Context(), system, foreign)
		is.NoErr(err)
		var plan structure.Plan
		for _, a := range other.Activities {
			plan.Activities = append(plan.Activities, structure.PlanOf(a))
		}
		plan.Activities = append(plan.Activities, structure.Activity{
			Key: "shared", Title: "Shared", Kind: "quiz", Quiz: &structure.Quiz{ID: shared.Content.Quiz},
		})
		_, err = s.Structures.Replace(t.Context(), system, foreign, app.StructureUpdate{Plan: plan, Check: func(structure.Structure) error { return nil }})
		is.NoErr(err)
		p := b.post(ownCourse+"/builder/"+shared.Key, change...)
		is.True(p.has("also used in a course that you do not instruct") && !p.has(`name="reviewed"`))
	})
}

// A quiz with very many choices has no form, which would take a second to render.
func TestLargeQuizHasNoForm(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	for choices, want := range map[int]int{5: http.StatusOK, 6: http.StatusUnprocessableEntity} {
		large := structure.Quiz{Defined: true, Name: "Large"}
		for q := range 500 {
			question := quiz.Question{Key: fmt.Sprint("q", q), Text: "Which?"}
			for c := range choices {
				question.Choices = append(question.Choices, quiz.Choice{Text: fmt.Sprint(c), Correct: c == 0})
			}
			large.Questions = append(large.Questions, question)
		}
		_, err := s.Structures.Replace(t.Context(), app.SystemActor(demo.SchoolID), "seeing-light", app.StructureUpdate{
			Plan:  structure.Plan{Activities: []structure.Activity{{Key: "large", Title: "Large", Kind: "quiz", Quiz: &large}}},
			Check: func(structure.Structure) error { return nil },
		})
		is.NoErr(err)
		is.Equal(s.as(t, owner).get("/courses/seeing-light/builder/large").status, want)
	}
}

// Activities and questions that learners have started are archived.
func TestRemoveStartedActivity(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		before := s.titles(t, "seeing-light")
		p := b.save(ownCourse+"/builder/what-light-does/remove", "is archived")
		is.True(p.has("Archived activities") && p.has("/builder/what-light-does/restore"))
		is.True(!strings.Contains(s.titles(t, "seeing-light"), "What light does"))
		is.Equal(b.post(ownCourse+"/builder/what-light-does/remove").status, http.StatusNotFound)
		p = b.save(ownCourse+"/builder/what-light-does/restore", "is restored")
		is.True(!p.has("Archived activities"))
		after := strings.Split(s.titles(t, "seeing-light"), ", ")
		is.Equal(len(after), len(strings.Split(before, ", ")))
		is.Equal(strings.ToLower(after[len(after)-1]), "what light does")
		is.Equal(b.post(ownCourse+"/builder/what-light-does/restore").status, http.StatusNotFound)
	})
}

// The review says what a change does not do: a video without an address is not available, and
// answers that were given before a change of the correct choices are not graded again.
func TestHintsOfTheReview(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		const builder, absent, regraded = ownCourse + "/builder", "The video has no address yet.", "are not graded again"
		is.True(b.post(builder, "kind", "video", "title", "Dance", "video_url", " ", "length", "3:25").has(absent))
		is.True(!b.post(builder, "kind", "video", "title", "Dance", "video_url", "https://media.example.test/a.mp4", "length", "3:25").has(absent))

		b.save(builder, "is added", "kind", "quiz", "title", "Test", "q0", "Who?", "q0c0", "White", "q0c0correct", "1", "q0c1", "Black")
		quiz := []string{"kind", "quiz", "title", "Test", "q0key", "who", "q0c0", "White", "q0c1", "Black"}
		is.True(b.post(builder+"/test", append(quiz, "q0", "Who?", "q0c1correct", "1")...).has(regraded))
		renamed := b.post(builder+"/test", append(quiz, "q0", "Which colour starts?", "q0c0correct", "1")...)
		is.True(renamed.has("questions") && !renamed.has(regraded))
	})
}
