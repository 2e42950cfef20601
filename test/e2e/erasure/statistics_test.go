package erasure

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// The statistics of the planner contain no hashes of addresses, which end after 24 hours, no URLs and
// descriptions of webhooks, and no secrets.
func TestStatisticsContainNoSecrets(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Fresh(t)
	w := start(t, server.Postgres, dsn)
	emails := []string{"ada@example.test", "ben@example.test"}
	_, err := w.app.Transfers.ImportPeople(t.Context(), w.school, kit.Reading("email\n"+strings.Join(emails, "\n")+"\n"), true)
	is.NoErr(err)
	for _, email := range emails {
		_, err := w.app.SignIns.CreateLink(t.Context(), w.school.School(), email)
		is.NoErr(err)
		w.post("/v2/webhook_endpoints", `{"data":{"type":"webhook_endpoints","attributes":{"url":"https://hooks.example.test/`+email+`","description":"For `+email+`","types":["people"]}}}`)
		w.post("/v2/groups", `{"data":{"type":"groups","attributes":{"name":"Friends of `+email+`"}}}`)
	}
	for _, from := range []string{
		"SELECT encode(address, 'hex') FROM invitation_deliveries",
		"SELECT encode(address, 'hex') FROM sign_in_links",
		"SELECT url FROM webhook_endpoints",
		"SELECT description FROM webhook_endpoints",
		"SELECT secret FROM webhook_endpoints",
		"SELECT enroll_token FROM groups",
	} {
		var values []string
		w.until(from, func() bool {
			values = nil
			is.NoErr(open(t, dsn).SelectContext(t.Context(), &values, from))
			return len(values) == len(emails)
		})
		analyze(t, dsn)
		shown := statistics(t, dsn)
		for _, value := range values {
			if strings.Contains(shown, value) {
				t.Errorf("%s: %s is in the statistics", from, value)
			}
		}
	}
}
