package erasure

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/cmd/server"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// TestDeletionAmongOtherRequests sends the requests that save data about a person in a random order,
// several at a time, and deletes the person at a random moment among them. Every value of a person
// contains a mark. When all requests have ended, nothing may contain the mark.
func TestDeletionAmongOtherRequests(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for _, store := range []server.Store{server.Memory, server.Postgres} {
		t.Run(string(store), func(t *testing.T) {
			dsn := ""
			if store == server.Postgres {
				dsn = pgtest.Fresh(t)
			}
			w := start(t, store, dsn)
			received := w.receiveWebhooks()
			w.define("nickname")
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			random := rand.New(rand.NewPCG(seed, 0))
			var deleted []string
			for round := range rounds {
				m := marked{world: w, mark: fmt.Sprintf("zq%016x", random.Uint64()), course: w.newCourse(round)}
				m.person = m.create()
				if round%3 == 0 {
					before := received.Load()
					w.until("a webhook", func() bool { return received.Load() > before })
				}
				m.race(random)
				deleted = append(deleted, m.mark, m.person)
			}
			w.until("the traces are gone", func() bool { return !w.traced(dsn, deleted) })
		})
	}
}

// traced reports whether a stored file, an export, a list or a table still contains one of the
// needles.
func (w *world) traced(dsn string, needles []string) bool {
	var found strings.Builder
	w.NoErr(w.app.Transfers.Export(w.t.Context(), w.school, &found, func(int) {}))
	found.WriteString(w.storedFiles())
	for _, list := range []string{"people", "events", "changes", "webhook_deliveries", "audit_events", "analytics/courses", "bulk/jobs"} {
		status, answer := w.ask(http.MethodGet, "/v2/"+list+"?limit=1000", "", "", "")
		w.True(status == http.StatusOK || status == http.StatusNotFound)
		if list != "changes" && list != "audit_events" { // they contain the ids of deleted records
			found.WriteString(answer)
		}
	}
	if dsn != "" {
		found.WriteString(dump(w.t, dsn))
	}
	text := strings.ToLower(found.String())
	for _, needle := range needles {
		if at := strings.Index(text, needle); at >= 0 {
			w.t.Logf("still there: …%s…", text[max(0, at-300):min(len(text), at+100)])
			return true
		}
	}
	return false
}

// receiveWebhooks adds a webhook endpoint of which every third message fails with a response that
// repeats the message. It returns the number of messages with a person.
func (w *world) receiveWebhooks() *atomic.Int64 {
	people, all := new(atomic.Int64), new(atomic.Int64)
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		message, _ := io.ReadAll(r.Body)
		if strings.Contains(string(message), `"first_name":"zq`) {
			people.Add(1)
		}
		if all.Add(1)%3 == 0 {
			rw.WriteHeader(http.StatusInternalServerError)
			_, _ = rw.Write(message)
		}
	}))
	w.t.Cleanup(receiver.Close)
	w.post("/v2/webhook_endpoints", fmt.Sprintf(`{"data":{"type":"webhook_endpoints","attributes":{"url":%q,"types":["*"]}}}`, receiver.URL))
	return people
}

func (w *world) define(property string) {
	w.post("/v2/property_definitions", fmt.Sprintf(
		`{"data":{"type":"property_definitions","attributes":{"resource":"people","name":%q,"kind":"text","filterable":true}}}`, property))
}

// newCourse returns the activities of a new course, with its id and those of a new group and a new
// coupon.
func (w *world) newCourse(number int) (c course) {
	c.id = w.post("/v2/courses", fmt.Sprintf(`{"data":{"type":"courses","attributes":{"name":"Course %d"}}}`, number))
	c.group = w.post("/v2/groups", fmt.Sprintf(`{"data":{"type":"groups","attributes":{"name":"Group %d"}}}`, number))
	c.coupon = w.post("/v2/coupons", fmt.Sprintf(`{"data":{"type":"coupons","attributes":{"code":"Winter %d","currency_code":"EUR",
		"start_on":"2025-12-01","format":"percentage","value":10,"maximum_usages":9}}}`, number))
	status, built := w.ask(http.MethodPut, "/v2/courses/"+c.id+"/structure", "application/json", "", plan)
	w.Equal(status, http.StatusOK)
	c.activities = w.activities(built)
	return c
}

type course struct {
	activities        []kit.Activity
	id, group, coupon string
}

// marked is a person whose values all begin with a mark, and the requests that save them.
type marked struct {
	*world
	mark, person string
	course       course
}

func (m marked) create() string {
	return m.post("/v2/people", fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":"%[1]s.first@example.test",
		"first_name":"%[1]s","last_name":"%[1]s-old","custom_avatar_url":"https://img.example.test/%[1]s","properties":{"nickname":"%[1]s"}}}}`, m.mark))
}

// race sends all requests and deletes the person among them.
func (m marked) race(random *rand.Rand) {
	requests := m.requests()
	random.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
	deletion := random.IntN(len(requests))
	lanes := make(chan struct{}, 4)
	var all sync.WaitGroup
	for i, request := range requests {
		lanes <- struct{}{}
		all.Go(func() {
			defer func() { <-lanes }()
			request()
			if i == deletion {
				m.delete()
			}
		})
	}
	all.Wait()
	m.delete()
}

// delete deletes the person, who may be deleted already.
func (m marked) delete() {
	status, answer := m.ask(http.MethodDelete, "/v2/people/"+m.person, "", "", "")
	if status != http.StatusNoContent && status != http.StatusNotFound {
		m.t.Errorf("DELETE: %d %s", status, answer)
	}
}

// requests returns the requests about the person. Each can come after the deletion.
func (m marked) requests() []func() {
	a := m.course.activities
	text, video, quizAt, work := a[0].ID, a[1].ID, a[2].ID, a[3].ID
	of := related("person", "people", m.person)
	send := func(method, path, body string) func() {
		return func() {
			if status, answer := m.ask(method, path, "application/json", uuid.NewString(), body); status >= http.StatusInternalServerError {
				m.t.Errorf("%s %s: %d %s", method, path, status, answer)
			}
		}
	}
	change := func(attributes string) func() {
		return send(http.MethodPatch, "/v2/people/"+m.person, `{"data":{"type":"people","id":"`+m.person+`","attributes":{`+attributes+`}}}`)
	}
	form := "--b\r\nContent-Disposition: form-data; name=\"person\"\r\n\r\n" + m.person +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"activity\"\r\n\r\n" + work +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + m.mark + ".txt\"\r\n\r\n" + m.mark + "\r\n--b--\r\n"
	return []func(){
		change(`"email":"` + m.mark + `.second@example.test","first_name":"` + m.mark + `ann"`),
		change(`"email":"` + m.mark + `.third@example.test","last_name":"` + m.mark + `-new"`),
		change(`"properties":{"nickname":"` + m.mark + ` changed"}`),
		send(http.MethodPost, "/v2/people/"+m.person+"/invitation", ""),
		send(http.MethodPost, "/v2/people/"+m.person+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+m.course.id+`"}]}`),
		send(http.MethodPost, "/v2/groups/"+m.course.group+"/relationships/people", `{"data":[{"type":"people","id":"`+m.person+`"}]}`),
		send(http.MethodPost, "/v2/courses/"+m.course.id+"/attempts", `{"data":{"type":"course_attempts","relationships":{`+of+`}}}`),
		send(http.MethodPost, "/v2/activities/"+text+"/completions", `{"data":{"type":"activity_completions","relationships":{`+of+`}}}`),
		send(http.MethodPost, "/v2/events", `{"data":{"type":"learner_viewed_activity_events","attributes":{},"relationships":{`+
			of+`,`+related("activity", "activities", video)+`}}}`),
		send(http.MethodPost, "/v2/quizzes/"+a[2].Quiz.ID+"/answers", `{"data":{"type":"quiz_raw_answers","attributes":{"response":"`+response+
			`"},"relationships":{`+of+`,`+related("activity", "activities", quizAt)+`,`+related("question", "questions", a[2].Quiz.Questions[0].ID)+`}}}`),
		send(http.MethodPost, "/v2/coupons/"+m.course.coupon+"/redemptions", `{"data":{"type":"coupon_redemptions","relationships":{`+of+`}}}`),
		send(http.MethodPost, "/v2/people/"+m.person+"/tokens", ""),
		func() {
			m.ask(http.MethodPost, "/v2/assignments/"+a[3].Assignment.ID+"/submissions", "multipart/form-data; boundary=b", uuid.NewString(), form)
		},
		func() {
			s, err := m.app.School.Get(m.t.Context(), m.school)
			m.NoErr(err)
			m.NoErr(m.app.SignIns.Request(m.t.Context(), s.State, m.mark+".first@example.test", "/courses", false))
		},
		func() {
			_, _ = m.app.SignIns.CreateLink(m.t.Context(), m.school.School(), m.mark+".first@example.test")
		},
		func() { time.Sleep(20 * time.Millisecond) }, // webhooks and invitations are sent
	}
}
