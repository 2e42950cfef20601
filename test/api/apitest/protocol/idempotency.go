package protocol

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/kit"
)

// Idempotency checks repeated POST requests with the same Idempotency-Key.
func Idempotency(t *testing.T, s *fixture.Server) {
	const groups = "/v2/groups"
	group := func(name string) string { return `{"data":{"type":"groups","attributes":{"name":"` + name + `"}}}` }
	post := func(path, key, body string) *fixture.Call {
		return s.Request("POST", path).With(body).Set("Idempotency-Key", key)
	}
	count := func(name string) int { return strings.Count(s.Get(t, groups+"?limit=1000").Body, `"name":"`+name+`"`) }
	same := func(is *is.I, first, again fixture.Response) {
		is.Helper()
		is.Equal(first.Header.Get("Idempotent-Replayed"), "")
		is.Equal(again.Header.Get("Idempotent-Replayed"), "true")
		is.Equal(again.Status, first.Status)
		is.Equal(again.Body, first.Body)
		for _, name := range []string{"Location", "Content-Type", "ETag", "Cache-Control", "Content-Length"} {
			is.Equal(again.Header.Get(name), first.Header.Get(name))
		}
	}

	t.Run("a retry gets the recorded response for 24 hours", func(t *testing.T) {
		is := is.New(t)
		first := post(groups, "a day", group("Once")).Send(t)
		is.Equal(first.Status, 201)
		s.Clock.Advance(24*time.Hour - time.Minute)
		same(is, first, post(groups, "a day", group("Once")).Send(t))
		s.Clock.Advance(time.Minute)
		is.Equal(post(groups, "a day", group("Once")).Send(t).Status, 422) // the request is executed and fails, because the name is taken
		is.Equal(count("Once"), 1)
	})

	t.Run("a retry gets the recorded response after the record was deleted", func(t *testing.T) {
		is := is.New(t)
		first := post(groups, "gone", group("Gone")).Send(t)
		is.Equal(s.Send(t, "DELETE", groups+"/"+first.ID(t), "").Status, 204)
		same(is, first, post(groups, "gone", group("Gone")).Send(t))
		is.Equal(count("Gone"), 0)
	})

	t.Run("a retry is 409 after the person in the response was deleted", func(t *testing.T) {
		is := is.New(t)
		const erased = `{"errors":[{"status":"409","title":"Conflict","detail":"The recorded response to this Idempotency-Key ` +
			`was deleted because it referred to a person who has been deleted","source":{"header":"Idempotency-Key"}}]}`
		body := `{"data":{"attributes":{"email":"erased@example.test"}}}`
		first := post("/v2/people", "erased", body).Send(t)
		is.Equal(first.Status, 201)
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+first.ID(t), "").Status, 204)
		for range 2 {
			again := post("/v2/people", "erased", body).Send(t)
			is.Equal(again.Status, 409)
			is.Equal(again.Body, erased)
		}
		is.Equal(s.Get(t, "/v2/people?filter[email][eq]=erased@example.test").IDs(t), "") // the request is not executed again
		s.Clock.Advance(24 * time.Hour)
		is.Equal(post("/v2/people", "erased", body).Send(t).Status, 201)
	})

	for name, path := range map[string]struct{ path, body string }{
		"categories":   {"/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Kept"}}}`},
		"learners":     {"/v1/learners", `{"data":{"type":"learners","attributes":{"email":"kept@example.test"}}}`},
		"people":       {"/v2/people", `{"data":{"attributes":{"email":"kept2@example.test"}}}`},
		"bulk groups":  {"/v1/bulk/groups", `{"data":{"type":"bulk","attributes":{"groups":[{"name":"Bulk"}]}}}`},
		"bulk people":  {"/v2/bulk/people", `{"data":{"type":"bulk","attributes":{"people":[{"email":"b@example.test"}]}}}`},
		"a coupon":     {"/v2/coupons/" + records.EarlyBird, `{"data":{"attributes":{"maximum_usages":77}}}`},
		"activation":   {"/v1/coupons/" + records.EarlyBird + "/activation", ``},
		"enrollment":   {"/v1/people/" + records.Grace + "/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"` + records.Singing + `"}]}`},
		"membership":   {"/v1/people/" + records.Grace + "/relationships/groups", `{"data":[{"type":"membership-groups","id":"` + records.Singers + `"}]}`},
		"group people": {"/v2/groups/" + records.Singers + "/relationships/people", `{"data":[{"type":"people","id":"` + records.Ada + `"}]}`},
	} {
		t.Run("works for "+name, func(t *testing.T) {
			is := is.New(t)
			first := post(path.path, "every", path.body).Send(t)
			is.True(first.Status < 300)
			same(is, first, post(path.path, "every", path.body).Send(t))
		})
	}

	t.Run("another request under the key is 422", func(t *testing.T) {
		is := is.New(t)
		is.Equal(post(groups, "taken", group("First")).Send(t).Status, 201)
		want := []string{"422 Idempotency-Key This Idempotency-Key was already used for a different request"}
		is.Equal(post(groups, "taken", group("Second")).Send(t).Failures(t), want)
		is.Equal(post(groups, "taken", group("First")+" ").Send(t).Failures(t), want)
		is.Equal(post(groups+"?x=1", "taken", group("First")).Send(t).Failures(t), want)
		is.Equal(post(groups, "taken", group("First")).Set("Content-Type", "application/json").Send(t).Failures(t), want)
		is.Equal(count("Second"), 0)
	})

	t.Run("the API key is not part of the fingerprint", func(t *testing.T) {
		is := is.New(t)
		first := post(groups, "either", group("Either")).Send(t)
		same(is, first, post(groups+"?api_key="+s.Key, "either", group("Either")).Send(t))
		same(is, first, post(groups, "either", group("Either")).As(s.NewKey(t, school.Write)).Send(t))
	})

	t.Run("other paths and other schools have separate keys", func(t *testing.T) {
		is := is.New(t)
		is.Equal(post(groups, "own", group("Theirs and ours")).Send(t).Status, 201)
		is.Equal(post("/v1/groups", "own", group("Under v1")).Send(t).Status, 201)
		is.Equal(post(groups, "own", group("Other tenant's")).As(s.OtherTenantKey).Send(t).Status, 201)
	})

	t.Run("rejected requests are not recorded", func(t *testing.T) {
		is := is.New(t)
		is.Equal(post(groups, "refused", group("")).Send(t).Status, 422)
		is.Equal(post(groups, "refused", `{"data":{"type":"x","attributes":{"name":"Refused"}}}`).Send(t).Status, 409)
		is.Equal(post(groups, "refused", `{`).Send(t).Status, 400)
		is.Equal(count("Refused"), 0)
		first := post(groups, "refused", group("Refused")).Send(t)
		is.Equal(first.Status, 201)
		same(is, first, post(groups, "refused", group("Refused")).Send(t))
	})

	t.Run("a malformed key is 400", func(t *testing.T) {
		want := []string{"400 Idempotency-Key Idempotency-Key must be a single value of 1 to 255 printable ASCII characters"}
		for name, keys := range map[string][]string{
			"empty": {""}, "too long": {strings.Repeat("x", 256)}, "not ASCII": {"ä"}, "a tab": {"a\tb"}, "two": {"a", "a"},
		} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				c := s.Request("POST", groups).With(group("Malformed"))
				for _, k := range keys {
					c.Set("Idempotency-Key", k)
				}
				is.Equal(c.Send(t).Failures(t), want)
				is.Equal(count("Malformed"), 0)
			})
		}
		is := is.New(t)
		is.Equal(post(groups, strings.Repeat("x", 255), group("Long key")).Send(t).Status, 201)
	})

	t.Run("other methods ignore the header", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Request("GET", groups).Set("Idempotency-Key", "").Send(t).Status, 200)
	})

	t.Run("concurrent retries create one record and get one response", func(t *testing.T) {
		const many = 64
		is := is.New(t)
		answers := make([]fixture.Response, many)
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() { answers[i] = post(groups, "race", group("Race")).Send(t) })
		}
		wg.Wait()
		firsts := 0
		for _, a := range answers {
			is.Equal(a.Status, 201)
			is.Equal(a.Body, answers[0].Body)
			is.Equal(a.Header.Get("Location"), answers[0].Header.Get("Location"))
			if a.Header.Get("Idempotent-Replayed") == "" {
				firsts++
			}
		}
		is.Equal(firsts, 1)
		is.Equal(count("Race"), 1)
	})

	t.Run("a secret is shown once, and a retry names its record", func(t *testing.T) {
		is := is.New(t)
		old := post("/v2/api_keys", "of the old one", `{"data":{"attributes":{"name":"Once shown","scope":"read"}}}`).Send(t)
		for path, body := range map[string]string{
			"/v2/api_keys": `{"data":{"attributes":{"name":"Once shown","scope":"read"}}}`,
			"/v2/api_keys/" + old.ID(t) + "/rotation": ``,
		} {
			before := strings.Count(s.Get(t, "/v2/api_keys?limit=1000").Body, `"Once shown"`)
			first := post(path, "shown", body).Send(t)
			is.Equal(first.Status, 201)
			is.Equal(first.Header.Get("Cache-Control"), "no-store")
			is.True(strings.Contains(first.Body, `"secret":"lyc_`))
			for _, key := range []string{s.Key, s.NewKey(t, school.Admin)} {
				again := post(path, "shown", body).As(key).Send(t)
				is.Equal(again.Status, 409)
				is.Equal(again.Header.Get("Location")+again.Header.Get("Idempotent-Replayed"), "")
				is.Equal(again.Body, `{"errors":[{"status":"409","title":"Conflict","detail":"The first response to this Idempotency-Key `+
					`contained a secret that is not shown again","source":{"header":"Idempotency-Key"},`+
					`"meta":{"original":{"type":"api_keys","uuid":"`+first.ID(t)+`"}}}]}`)
			}
			is.Equal(strings.Count(s.Get(t, "/v2/api_keys?limit=1000").Body, `"Once shown"`), before+1)
		}
	})

	t.Run("a response that is much larger than its request is not kept", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", "/v2/courses", `{"data":{"type":"courses","attributes":{"name":"Long questions"}}}`)
		is.Equal(made.Status, 201)
		structure := "/v2/courses/" + made.ID(t) + "/structure"
		questions := make([]string, 30)
		for i := range questions {
			questions[i] = fmt.Sprintf(`{"key":"q%d","text":"%d %s","choices":[{"text":"yes","correct":true},{"text":"no"}]}`, i, i, strings.Repeat("x", 1200))
		}
		is.Equal(s.Send(t, "PUT", structure, `{"data":{"attributes":{"activities":[{"key":"quiz","title":"Quiz","kind":"quiz",`+
			`"quiz":{"name":"Long questions","questions":[`+strings.Join(questions, ",")+`]}}]}}}`).Status, 200)
		activities, err := kit.Activities([]byte(s.Get(t, structure).Body))
		is.NoErr(err)
		activity := activities[0]
		is.Equal(s.Send(t, "POST", "/v2/people/"+records.Ada+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+made.ID(t)+`"}]}`).Status, 204)
		answers := func(n int) string {
			all := make([]string, n)
			for i := range all {
				all[i] = bodies.LearnerDocument("quiz_raw_answers", `"response":"yes"`, records.Ada, "activity", activity.ID, "question", activity.Quiz.Questions[i].ID)
			}
			return bodies.LearnerBatch(all...)
		}
		path := "/v2/quizzes/" + activity.Quiz.ID + "/answers"
		few := post(path, "few", answers(1)).Send(t)
		is.Equal(few.Status, 201)
		same(is, few, post(path, "few", answers(1)).Send(t))

		first := post(path, "many", answers(30)).Send(t)
		is.Equal(first.Status, 201)
		is.True(len(first.Body) > 2<<10+3*len(answers(30)))
		before := s.Get(t, "/v2/quiz_attempts?filter[person.id]="+records.Ada).Body
		again := post(path, "many", answers(30)).Send(t)
		is.Equal(again.Status, 409)
		is.Equal(again.Body, `{"errors":[{"status":"409","title":"Conflict","detail":"The request was executed, and its response was too large to be kept","source":{"header":"Idempotency-Key"}}]}`)
		is.Equal(post(path, "many", answers(29)).Send(t).Status, 422) // another request
		is.Equal(s.Get(t, "/v2/quiz_attempts?filter[person.id]="+records.Ada).Body, before)
	})

	t.Run("different keys create different records", func(t *testing.T) {
		is := is.New(t)
		for i := range 3 {
			is.Equal(post(groups, fmt.Sprint("n", i), group(fmt.Sprint("Numbered ", i))).Send(t).Status, 201)
		}
	})
}
