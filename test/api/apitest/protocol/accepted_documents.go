package protocol

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// AcceptedDocuments sends valid requests in further forms that clients use and that no example of
// the description shows. contract.Transport checks that the description allows every request that
// the server accepts.
func AcceptedDocuments(t *testing.T, s *fixture.Server) {
	identifier := func(typ, id string) string {
		return `{"type":"` + typ + `","id":"` + id + `","meta":{"note":1},"links":{}}`
	}
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
	}{
		{"null names", "POST", "/v2/people", `{"data":{"attributes":{"email":"n1@example.test","first_name":null,"last_name":null}}}`, 201},
		{"null names of a learner", "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"n2@example.test","first_name":null,"last_name":null}}}`, 201},
		{"null names in an update", "PATCH", "/v2/people/" + records.Ada, `{"data":{"attributes":{"first_name":null,"last_name":null,"custom_avatar_url":null}}}`, 200},
		{"blank avatar", "PUT", "/v2/people/" + records.Ada, `{"data":{"attributes":{"custom_avatar_url":""}}}`, 200},
		{"null permalink", "POST", "/v2/courses", `{"data":{"attributes":{"name":"Etching","permalink":null}}}`, 201},
		{"null type and id", "PATCH", "/v2/groups/" + records.Singers, `{"data":{"type":null,"uuid":null,"id":"","attributes":{"name":"Colorists"}}}`, 200},
		{"no type and id", "PUT", "/v1/groups/" + records.Singers, `{"data":{"attributes":{"name":"Painters"}}}`, 200},
		{"lowercase currency", "PUT", "/v1/coupons/" + records.TenOff, `{"data":{"attributes":{"currency_code":" eur "}}}`, 200},
		{"blank end", "PUT", "/v1/coupons/" + records.TenOff, `{"data":{"attributes":{"end_on":""}}}`, 200},
		{"additional members of an identifier", "POST", "/v1/groups/" + records.Singers + "/relationships/people", `{"data":[` + identifier("people", records.Ada) + `]}`, 204},
		{"additional members of a relationship", "POST", "/v2/activities/" + records.Lines + "/completions", `{"data":{"relationships":{"person":{"data":` + identifier("people", records.Ada) + `,"meta":{}}}}}`, 201},
		{"null members of a deletion", "DELETE", "/v1/groups/" + records.Singers, `{"data":{"type":null,"uuid":""}}`, 204},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(s.Send(t, tt.method, tt.path, tt.body).Status, tt.status)
		})
	}
}
