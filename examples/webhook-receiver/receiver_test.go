package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"lyceum/test/lyceumtest"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// The receiver gets a ping and the changes of a school. A message that it refuses is sent again, and
// one with another signature is refused.
func TestReceiver(t *testing.T) {
	lyceum := lyceumtest.Start(t, lyceumtest.WithOutgoing("127.0.0.1"))
	got := make(chan string, 10)
	refusals := 1
	r := &Receiver{Handle: func(m Message) error {
		if refusals--; refusals >= 0 {
			return errors.New("not now")
		}
		got <- m.String()
		return nil
	}}
	listening := httptest.NewServer(r)
	t.Cleanup(listening.Close)

	var made struct {
		Data struct {
			ID         string
			Attributes struct{ Secret string }
		}
	}
	send := func(method, path, body string) string {
		t.Helper()
		status, text, err := lyceum.Do(t.Context(), method, path, body)
		if err != nil || status >= 300 {
			t.Fatalf("%s %s: %d %s %v", method, path, status, text, err)
		}
		return text
	}
	text := send("POST", "/v2/webhook_endpoints", `{"data":{"type":"webhook_endpoints","attributes":{"url":"`+listening.URL+`","types":["people"]}}}`)
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatal(err)
	}
	hook, err := standardwebhooks.NewWebhook(made.Data.Attributes.Secret)
	if err != nil {
		t.Fatal(err)
	}
	r.Verify = hook.Verify
	want := func(parts ...string) {
		t.Helper()
		select {
		case line := <-got:
			for _, part := range parts {
				if !strings.Contains(line, part) {
					t.Errorf("got %s, want %s", line, part)
				}
			}
		case <-time.After(30 * time.Second):
			t.Fatal("no message")
		}
	}
	send("POST", "/v2/webhook_endpoints/"+made.Data.ID+"/ping", "")
	want("ping") // after one refusal
	send("POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"new@example.test","first_name":"New"}}}`)
	want("created people", `"email":"new@example.test"`)

	r.Verify = func([]byte, http.Header) error { return nil }
	for _, position := range []int{9, 8, 10} { // 8 arrives late
		body := fmt.Sprintf(`{"data":{"id":"%d","attributes":{"action":"updated"},"relationships":{"record":{"data":{"type":"people","id":"x"}}}}}`, position)
		late := httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader(body))
		late.Header.Set(standardwebhooks.HeaderWebhookID, strconv.Itoa(position))
		response := httptest.NewRecorder()
		r.ServeHTTP(response, late)
		if response.Code != 200 {
			t.Errorf("got %d for the change at position %d", response.Code, position)
		}
	}
	want("9 updated people x")
	want("10 updated people x")
	r.Verify = hook.Verify

	response := httptest.NewRecorder()
	forged := httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader(`{"meta":{"ping":true}}`))
	r.ServeHTTP(response, forged)
	if response.Code != 401 {
		t.Errorf("got %d for a forged message", response.Code)
	}
}
