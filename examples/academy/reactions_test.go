package main

import (
	"context"
	"errors"
	"lyceum/cmd/server"
	"lyceum/test/lyceumtest"
	"testing"
)

// The reaction runs before the response to the request, because the test asks for that. A call that
// fails does not fail the request.
func TestFrontDesk(t *testing.T) {
	var lines []string
	fails := true
	tell := func(_ context.Context, line string) error {
		if fails {
			return errors.New("the front desk is closed")
		}
		lines = append(lines, line)
		return nil
	}
	s := lyceumtest.Start(t, lyceumtest.With(server.WithReaction("front-desk", newPeople, frontDesk(tell)), server.ReactInRequests()))
	wants(t, s, "POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "a@school.example", "first_name": "Ada"}}}`, 201, "Ada")
	fails = false
	wants(t, s, "POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "b@school.example", "first_name": "Bob"}}}`, 201, "Bob")
	wants(t, s, "POST", "/v2/categories", `{"data": {"type": "categories", "attributes": {"name": "Science"}}}`, 201, "Science")
	if len(lines) != 1 || lines[0] != "Bob is new" { // the first call is repeated after a second
		t.Errorf("got %q", lines)
	}
}
