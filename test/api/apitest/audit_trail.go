package apitest

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/school"
)

const auditPath = "/v2/audit_events"

// auditEvent is an event of the audit trail.
type auditEvent struct {
	ID         string
	Attributes struct {
		Action     string
		RecordType string  `json:"record_type"`
		RecordID   string  `json:"record_id"`
		ActorType  string  `json:"actor_type"`
		ActorID    *string `json:"actor_id"`
		PersonID   *string `json:"person_id"`
		RequestID  *string `json:"request_id"`
		Address    *string
	}
}

// String returns the action and the type of the record.
func (e auditEvent) String() string { return e.Attributes.Action + " " + e.Attributes.RecordType }

// audited returns the audit events that parameters select.
func (s *server) audited(t *testing.T, parameters string) []auditEvent {
	t.Helper()
	return parse[struct{ Data []auditEvent }](t, s.get(t, auditPath+"?limit=1000"+parameters).body).Data
}

// auditTrail checks the audit trail of requests.
func auditTrail(t *testing.T, s *server) {
	t.Run("an event has the key, the request and the address", func(t *testing.T) {
		is := is.New(t)
		a := s.request("POST", "/v2/categories").with(`{"data":{"type":"categories","attributes":{"name":"Audited"}}}`).
			set("X-Request-Id", "audited-1").send(t)
		is.Equal(a.status, 201)
		got := s.audited(t, "&filter[request_id][eq]=audited-1")
		is.Equal(len(got), 1)
		is.Equal(got[0].String(), "created categories")
		is.Equal(got[0].Attributes.RecordID, a.id(t))
		is.Equal(got[0].Attributes.ActorType, "api_key")
		is.Equal(*got[0].Attributes.ActorID, s.keyID(t))
		is.True(got[0].Attributes.PersonID == nil)
		is.True(got[0].Attributes.Address == nil) // the test server logs no addresses
	})

	t.Run("the newest event comes first, and the list has a CSV form", func(t *testing.T) {
		is := is.New(t)
		all := s.audited(t, "")
		is.True(len(all) > 1)
		is.True(slices.IsSortedFunc(all, func(a, b auditEvent) int { return number(b.ID) - number(a.ID) }))
		table, err := csv.NewReader(strings.NewReader(s.csv(t, "GET", auditPath+"?limit=all").body)).ReadAll()
		is.NoErr(err)
		is.Equal(len(table), len(all)+2) // the header, and the event of the export
		exported := s.audited(t, "&filter[action][eq]=exported")
		is.Equal(exported[0].Attributes.RecordType, "audit_events")
		is.Equal(exported[0].Attributes.RecordID, "all")
	})

	t.Run("a learner acts with their token", func(t *testing.T) {
		is := is.New(t)
		token := s.newToken(t, ada, "")
		made := s.audited(t, "&filter[record_type][eq]=learner_tokens")
		is.Equal(made[0].String(), "created learner_tokens")
		a := s.request("POST", "/v2/activities/"+lines+"/completions").as(token).with(learnerDocument("activity_completions", "", ada)).send(t)
		is.True(a.status < 300)
		got := s.audited(t, "&filter[actor_type][eq]=learner_token")
		is.True(len(got) > 0)
		is.Equal(got[0].Attributes.ActorID, &made[0].Attributes.RecordID)
		is.Equal(*got[0].Attributes.PersonID, ada)
	})

	t.Run("concurrent requests have their own events", func(t *testing.T) {
		is := is.New(t)
		const learners = 24
		send := func(sent []*call) {
			var done sync.WaitGroup
			for _, c := range sent {
				done.Go(func() {
					if got := c.send(t).status; got != 201 {
						t.Errorf("%s: %d", c.path, got)
					}
				})
			}
			done.Wait()
		}
		admin, adminID := s.newKey(t, school.Admin), s.keyID(t)
		second, err := s.app.Auth.Authenticate(t.Context(), admin)
		is.NoErr(err)
		keys := []struct{ secret, id string }{{s.key, adminID}, {admin, second.Key().String()}}
		var created []*call
		for i := range learners {
			created = append(created, s.request("POST", "/v2/people").as(keys[i%2].secret).set("X-Request-Id", fmt.Sprint("create-", i)).
				with(fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":"audited-%d@example.test"}}}`, i)))
		}
		send(created)
		people := make([]string, learners)
		for i := range learners {
			got := s.audited(t, fmt.Sprintf("&filter[request_id][eq]=create-%d&filter[record_type][eq]=people&filter[action][eq]=created", i))
			is.Equal(len(got), 1)
			is.Equal(*got[0].Attributes.ActorID, keys[i%2].id)
			people[i] = got[0].Attributes.RecordID
			is.Equal(s.attributes(t, "/v2/people?filter[uuid][eq]="+people[i], "email"), fmt.Sprintf("audited-%d@example.test", i))
			is.Equal(s.send(t, "POST", "/v1/people/"+people[i]+"/relationships/courses", data(element("enrolled-courses", drawing))).status, 204)
		}
		var reports []*call
		for i, p := range people {
			key := keys[i%2].secret
			if i%3 == 0 {
				key = s.newToken(t, p, "")
			}
			reports = append(reports, s.request("POST", "/v2/events").as(key).set("X-Request-Id", fmt.Sprint("report-", i)).
				with(learnerDocument(video, `"percentage_watched":0.99`, p, "activity", light)))
		}
		send(reports)
		for i, p := range people {
			got := s.audited(t, fmt.Sprintf("&filter[request_id][eq]=report-%d", i))
			is.Equal(len(got), 1)
			is.Equal(got[0].String(), "created activity_completions")
			is.Equal(got[0].Attributes.RecordID, s.get(t, "/v2/activity_completions?filter[person.id][eq]="+p).ids(t))
			if i%3 == 0 {
				is.Equal(got[0].Attributes.ActorType, "learner_token")
				is.Equal(*got[0].Attributes.PersonID, p)
			} else {
				is.Equal(*got[0].Attributes.ActorID, keys[i%2].id)
			}
		}
	})

	t.Run("the trail contains IDs only", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v2/people/"+grace+"/tokens", "").status, 204)
		body := s.get(t, auditPath+"?limit=1000").body
		for _, personal := range []string{"@", "Grace", "Lovelace", "Alan"} {
			is.True(!strings.Contains(body, personal))
		}
	})
}

func number(id string) (n int) {
	_, _ = fmt.Sscan(id, &n)
	return n
}

// unaudited contains the requests of writes that add no audit event, with the reason.
var unaudited = map[string]string{
	"GET /v2/activity_completions": "reads",

	"POST /v2/webhook_endpoints/:id/ping":    "queues a message",
	"POST /v2/webhook_endpoints/:id/replay":  "queues messages",
	"POST /v2/webhook_deliveries/:id/replay": "queues a message",
	"POST /v2/events":                        "the event feed has a person for each of its events",

	"POST /v1/coupons/:id/activation":               "changes nothing: the coupon is enabled; /v2 changes another one",
	"DELETE /v2/coupons/:id/activation":             "changes nothing: the coupon is disabled; /v1 changes another one",
	"POST /v2/courses/:id/relationships/categories": "changes nothing: the course belongs to the category; PATCH changes it",
}

// Audit sends every request that changes a record (see writes), and checks that it adds an audit
// event with the right actor and the ID of the request.
func Audit(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	each(t, func(t *testing.T, method string, r resource, w writeRequest) {
		t.Helper()
		if method == http.MethodGet || unaudited[method+" "+r.path] != "" {
			return
		}
		is := is.New(t)
		f := newFaulty(t, open(t))
		if w.before != nil {
			w.before(t, f.server)
		}
		f.clock.Advance(time.Hour) // so that an invitation can be sent again
		c := f.request(method, cmp.Or(w.path, r.of(r.id))+w.query).with(w.body(t, f.server)).set("X-Request-Id", "the-request")
		for name, value := range w.header {
			c.set(name, value)
		}
		a := c.send(t)
		is.True(a.status < 300)
		events := f.audited(t, "&filter[request_id][eq]=the-request")
		is.True(len(events) > 0)
		for _, e := range events {
			if strings.Contains(r.path, "/invitations/:id") {
				is.Equal(e.Attributes.ActorType, "invitation")
				is.True(e.Attributes.PersonID != nil)
				continue
			}
			is.Equal(e.Attributes.ActorType, "api_key")
			is.Equal(*e.Attributes.ActorID, f.keyID(t))
		}
	})
}

// keyID returns the ID of the key of s.
func (s *server) keyID(t *testing.T) string {
	t.Helper()
	actor, err := s.app.Auth.Authenticate(t.Context(), s.key)
	if err != nil {
		t.Fatal(err)
	}
	return actor.Key().String()
}
