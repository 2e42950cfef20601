package apitest

import (
	"testing"

	"github.com/matryer/is"
)

// acceptedDocuments sends valid requests in further forms that clients use and that no example of
// the description shows. contract.Transport checks that the description allows every request that
// the server accepts.
func acceptedDocuments(t *testing.T, s *server) {
	identifier := func(typ, id string) string {
		return `{"type":"` + typ + `","id":"` + id + `","meta":{"note":1},"links":{}}`
	}
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
	}{
		{"null names", "POST", "/v2/people", `{"data":{"attributes":{"email":"n1@example.test","first_name":null,"last_name":null}}}`, 201},
		{"null names of a learner", "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"n2@example.test","first_name":null,"last_name":null}}}`, 201},
		{"null names in an update", "PATCH", "/v2/people/" + ada, `{"data":{"attributes":{"first_name":null,"last_name":null,"custom_avatar_url":null}}}`, 200},
		{"blank avatar", "PUT", "/v2/people/" + ada, `{"data":{"attributes":{"custom_avatar_url":""}}}`, 200},
		{"null permalink", "POST", "/v2/courses", `{"data":{"attributes":{"name":"Etching","permalink":null}}}`, 201},
		{"null type and id", "PATCH", "/v2/groups/" + singers, `{"data":{"type":null,"uuid":null,"id":"","attributes":{"name":"Colorists"}}}`, 200},
		{"no type and id", "PUT", "/v1/groups/" + singers, `{"data":{"attributes":{"name":"Painters"}}}`, 200},
		{"lowercase currency", "PUT", "/v1/coupons/" + tenOff, `{"data":{"attributes":{"currency_code":" eur "}}}`, 200},
		{"blank end", "PUT", "/v1/coupons/" + tenOff, `{"data":{"attributes":{"end_on":""}}}`, 200},
		{"additional members of an identifier", "POST", "/v1/groups/" + singers + "/relationships/people", `{"data":[` + identifier("people", ada) + `]}`, 204},
		{"additional members of a relationship", "POST", "/v2/activities/" + lines + "/completions", `{"data":{"relationships":{"person":{"data":` + identifier("people", ada) + `,"meta":{}}}}}`, 201},
		{"null members of a deletion", "DELETE", "/v1/groups/" + singers, `{"data":{"type":null,"uuid":""}}`, 204},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(s.send(t, tt.method, tt.path, tt.body).status, tt.status)
		})
	}
}
