package administration

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// AuditTrail checks the audit trail of requests.
func AuditTrail(t *testing.T, s *fixture.Server) {
	t.Run("an event has the key, the request and the address", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("POST", "/v2/categories").With(`{"data":{"type":"categories","attributes":{"name":"Audited"}}}`).
			Set("X-Request-Id", "audited-1").Send(t)
		is.Equal(a.Status, 201)
		got := s.Audited(t, "&filter[request_id][eq]=audited-1")
		is.Equal(len(got), 1)
		is.Equal(got[0].String(), "created categories")
		is.Equal(got[0].Attributes.RecordID, a.ID(t))
		is.Equal(got[0].Attributes.ActorType, "api_key")
		is.Equal(*got[0].Attributes.ActorID, s.KeyID(t))
		is.True(got[0].Attributes.PersonID == nil)
		is.True(got[0].Attributes.Address == nil) // the test server logs no addresses
	})

	t.Run("the newest event comes first, and the list has a CSV form", func(t *testing.T) {
		is := is.New(t)
		all := s.Audited(t, "")
		is.True(len(all) > 1)
		is.True(slices.IsSortedFunc(all, func(a, b fixture.AuditEvent) int { return number(b.ID) - number(a.ID) }))
		table, err := csv.NewReader(strings.NewReader(s.CSV(t, "GET", routes.AuditPath+"?limit=all").Body)).ReadAll()
		is.NoErr(err)
		is.Equal(len(table), len(all)+2) // the header, and the event of the export
		exported := s.Audited(t, "&filter[action][eq]=exported")
		is.Equal(exported[0].Attributes.RecordType, "audit_events")
		is.Equal(exported[0].Attributes.RecordID, "all")
	})

	t.Run("a learner acts with their token", func(t *testing.T) {
		is := is.New(t)
		token := s.NewToken(t, records.Ada, "")
		made := s.Audited(t, "&filter[record_type][eq]=learner_tokens")
		is.Equal(made[0].String(), "created learner_tokens")
		a := s.Request("POST", "/v2/activities/"+records.Lines+"/completions").As(token).With(bodies.LearnerDocument("activity_completions", "", records.Ada)).Send(t)
		is.True(a.Status < 300)
		got := s.Audited(t, "&filter[actor_type][eq]=learner_token")
		is.True(len(got) > 0)
		is.Equal(got[0].Attributes.ActorID, &made[0].Attributes.RecordID)
		is.Equal(*got[0].Attributes.PersonID, records.Ada)
	})

	t.Run("concurrent requests have their own events", func(t *testing.T) {
		is := is.New(t)
		const learners = 24
		send := func(sent []*fixture.Call) {
			var done sync.WaitGroup
			for _, c := range sent {
				done.Go(func() {
					if got := c.Send(t).Status; got != 201 {
						t.Errorf("%s: %d", c.Path, got)
					}
				})
			}
			done.Wait()
		}
		admin, adminID := s.NewKey(t, school.Admin), s.KeyID(t)
		second, err := s.App.Auth.Authenticate(t.Context(), admin)
		is.NoErr(err)
		keys := []struct{ secret, id string }{{s.Key, adminID}, {admin, second.Key().String()}}
		var created []*fixture.Call
		for i := range learners {
			created = append(created, s.Request("POST", "/v2/people").As(keys[i%2].secret).Set("X-Request-Id", fmt.Sprint("create-", i)).
				With(fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":"audited-%d@example.test"}}}`, i)))
		}
		send(created)
		people := make([]string, learners)
		for i := range learners {
			got := s.Audited(t, fmt.Sprintf("&filter[request_id][eq]=create-%d&filter[record_type][eq]=people&filter[action][eq]=created", i))
			is.Equal(len(got), 1)
			is.Equal(*got[0].Attributes.ActorID, keys[i%2].id)
			people[i] = got[0].Attributes.RecordID
			is.Equal(s.Attributes(t, "/v2/people?filter[uuid][eq]="+people[i], "email"), fmt.Sprintf("audited-%d@example.test", i))
			is.Equal(s.Send(t, "POST", "/v1/people/"+people[i]+"/relationships/courses", bodies.Data(bodies.Element("enrolled-courses", records.Drawing))).Status, 204)
		}
		var reports []*fixture.Call
		for i, p := range people {
			key := keys[i%2].secret
			if i%3 == 0 {
				key = s.NewToken(t, p, "")
			}
			reports = append(reports, s.Request("POST", "/v2/events").As(key).Set("X-Request-Id", fmt.Sprint("report-", i)).
				With(bodies.LearnerDocument(bodies.Video, `"percentage_watched":0.99`, p, "activity", records.Light)))
		}
		send(reports)
		for i, p := range people {
			got := s.Audited(t, fmt.Sprintf("&filter[request_id][eq]=report-%d", i))
			is.Equal(len(got), 1)
			is.Equal(got[0].String(), "created activity_completions")
			is.Equal(got[0].Attributes.RecordID, s.Get(t, "/v2/activity_completions?filter[person.id][eq]="+p).IDs(t))
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
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace+"/tokens", "").Status, 204)
		body := s.Get(t, routes.AuditPath+"?limit=1000").Body
		for _, personal := range []string{"@", "Grace", "Lovelace", "Alan"} {
			is.True(!strings.Contains(body, personal))
		}
	})
}

func number(id string) (n int) {
	_, _ = fmt.Sscan(id, &n)
	return n
}
