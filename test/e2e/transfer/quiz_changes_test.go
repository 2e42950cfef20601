package transfer_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/test/kit"
)

// question returns a question with the given key.
func question(key string) quiz.Question {
	return quiz.Question{Key: key, Text: "Is it " + key + "?", Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}}}
}

// schoolWithChangedQuiz creates a school with a quiz that two courses use. While people answered
// it, questions were added, reordered and archived, and one was restored. All times are different,
// because lists order records with equal times by ids, and an import generates new ids.
func schoolWithChangedQuiz(t *testing.T, h useCases) school.ID {
	t.Helper()
	is := is.New(t)
	text := lines(
		`{"kind":"school","format":1,"name":"`+unique("Quizzed")+`"}`,
		`{"kind":"person","email":"ada@example.test"}`, `{"kind":"person","email":"bob@example.test"}`, `{"kind":"person","email":"eve@example.test"}`,
		`{"kind":"quiz","name":"Shapes","questions":[{"key":"round","text":"Is it round?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}`,
		`{"kind":"course","permalink":"drawing","name":"Drawing"}`, `{"kind":"activity","course":"drawing","title":"Test","type":"quiz","quiz":"Shapes"}`,
		`{"kind":"course","permalink":"building","name":"Building"}`, `{"kind":"activity","course":"building","title":"Exam","type":"quiz","quiz":"Shapes"}`,
		`{"kind":"enrollment","course":"drawing","person":"ada@example.test","role":"learner","created_at":"2026-01-01T10:00:00Z"}`,
		`{"kind":"enrollment","course":"drawing","person":"bob@example.test","role":"learner","created_at":"2026-01-02T10:00:00Z"}`,
		`{"kind":"enrollment","course":"building","person":"ada@example.test","role":"learner","created_at":"2026-01-03T10:00:00Z"}`,
		`{"kind":"enrollment","course":"building","person":"eve@example.test","role":"learner","created_at":"2026-01-04T10:00:00Z"}`,
		`{"kind":"end"}`,
	)
	id := h.importSchool(t, text)
	actor, learning := app.SystemActor(id), kit.NewLearning(h.App)
	who := map[string]person.ID{}
	people, err := h.People.List(t.Context(), actor, query.Query{})
	is.NoErr(err)
	for _, p := range people.Items {
		who[p.Email[:3]] = p.ID
	}
	find := func(course string) (activity.State, quiz.State) {
		s, err := h.Structures.Get(t.Context(), actor, course)
		is.NoErr(err)
		for _, q := range s.Quizzes {
			return s.Activities[0], q
		}
		return activity.State{}, quiz.State{}
	}
	change := func(keys ...string) {
		a, q := find("drawing")
		plan := structure.PlanOf(a)
		plan.Quiz = &structure.Quiz{ID: q.ID, Defined: true, Name: q.Name}
		for _, key := range keys {
			plan.Quiz.Questions = append(plan.Quiz.Questions, question(key))
		}
		_, err := h.Structures.Replace(t.Context(), actor, "drawing", app.StructureUpdate{
			Plan: structure.Plan{Activities: []structure.Activity{plan}}, Check: func(structure.Structure) error { return nil },
		})
		is.NoErr(err)
	}
	answer := func(name, course, key, chosen string) {
		a, q := find(course)
		i := slices.IndexFunc(q.Questions, func(q quiz.Question) bool { return q.Key == key })
		_, err := learning.Answer(t.Context(), actor, who[name], a.ID, q.Questions[i].ID, []string{chosen})
		is.NoErr(err)
		time.Sleep(2 * time.Millisecond) // the precision of times is a millisecond
	}
	change("flat", "round", "red", "thin")
	for _, key := range []string{"flat", "round", "red", "thin"} {
		answer("ada", "drawing", key, "Yes")
	}
	answer("ada", "drawing", "flat", "No") // this answer starts the second quiz attempt
	answer("bob", "drawing", "red", "Yes")
	answer("eve", "building", "thin", "No")
	answer("eve", "building", "round", "Yes")
	change("thin", "round", "red")
	answer("bob", "drawing", "round", "No")
	change("blue", "thin", "round") // red is archived; flat was archived before
	answer("ada", "building", "blue", "Yes")
	change("round", "blue", "red") // red is restored; thin is archived
	answer("eve", "building", "red", "Yes")
	answer("eve", "building", "blue", "No")
	change("red", "old", "round")
	answer("bob", "drawing", "old", "Yes")
	change("green", "red", "round", "blue")
	return id
}

// quizLists returns the lists of a school that are about quizzes, by path. It replaces ids with
// names, because an import generates new ids.
func quizLists(t *testing.T, h useCases, id school.ID) map[string][]string {
	t.Helper()
	_, key, err := h.Provision.CreateKey(t.Context(), id, school.KeyParams{Name: "tests", Scope: school.Read})
	if err != nil {
		t.Fatal(err)
	}
	api := httpapi.New(h.App, httpapi.Config{}, slog.New(slog.DiscardHandler))
	type row struct {
		ID                        any
		Attributes, Relationships map[string]any
	}
	get := func(path string) (rows []row) {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1:8080"+path, nil)
		r.RemoteAddr = "127.0.0.1:9"
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		body, _ := io.ReadAll(w.Body)
		var list struct{ Data []row }
		if err := json.Unmarshal(body, &list); err != nil || w.Code != 200 {
			t.Fatalf("GET %s: %d %s", path, w.Code, body)
		}
		return list.Data
	}
	var names []string
	for path, name := range map[string]string{"/v2/people": "email", "/v2/courses": "permalink", "/v2/activities": "title", "/v2/quizzes": "name"} {
		for _, r := range get(path) {
			names = append(names, fmt.Sprint(r.ID), fmt.Sprint(r.Attributes[name]))
		}
	}
	named := strings.NewReplacer(names...)
	all := map[string][]string{}
	const answers, scores, attempts = "/v1/analytics/quiz_raw_answers", "/v1/analytics/quiz_scores", "/v2/quiz_attempts"
	for _, path := range []string{
		answers, scores, attempts, "/v2/activity_completions", "/v1/analytics/courses",
		answers + "?sort=question_number,date_answered", answers + "?filter[question_number][eq]=0/4", answers + "?filter[question_number][eq]=2/4",
		scores + "?sort=questions_completed,last_question_answered_at", scores + "?filter[questions_completed][eq]=2/4", scores + "?filter[progress][lt]=50",
		attempts + "?filter[questions_completed][not_eq]=2/4",
	} {
		all[path] = []string{}
		for _, r := range get(path + map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "limit=1000") {
			delete(r.Relationships, "course_attempt") // an import generates a new id
			text, err := json.Marshal([]any{r.Attributes, r.Relationships})
			if err != nil {
				t.Fatal(err)
			}
			all[path] = append(all[path], named.Replace(string(text)))
		}
		if len(all[path]) == 0 || strings.Contains(strings.Join(all[path], ""), uuid.Nil.String()) {
			t.Fatalf("%s has no rows, or rows without a person: %v", path, all[path])
		}
	}
	return all
}

// TestChangedQuizRoundTrip checks that an import into either store preserves a quiz that was
// changed while people answered it, including the numbers and totals of its current questions.
func TestChangedQuizRoundTrip(t *testing.T) {
	stores := map[string]useCases{"memory": inMemory(), "postgres": onPostgres(t)}
	for from, first := range stores {
		id := schoolWithChangedQuiz(t, first)
		text, shown := first.export(t, id), quizLists(t, first, id)
		for to, second := range stores {
			t.Run("from "+from+" to "+to, func(t *testing.T) {
				is := is.New(t)
				called := text
				if from == to {
					called = renamed(text, unique("Again"))
				}
				there := second.importSchool(t, called)
				is.Equal(second.export(t, there), called)
				for path, rows := range quizLists(t, second, there) {
					is.Equal(rows, shown[path]) // the list at path is the same in both schools
				}
				is.Equal(differences(t, second, there), 0)
				checkUnchanged(t, second, there, called)
			})
		}
		t.Run("numbers and totals agree on "+from, func(t *testing.T) {
			is := is.New(t)
			for _, rows := range shown {
				for _, row := range rows {
					is.Equal(strings.Count(row, `"question_number"`)+strings.Count(row, `"questions_completed"`), strings.Count(row, `/4"`)) // each total in row is 4
				}
			}
		})
	}
}
