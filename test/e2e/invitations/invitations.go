// Package invitations tests invitations with a complete server on any store: from the request that
// adds a person to the message at a mail server, with failures in between.
package invitations

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/fx"
	"lyceum/adapters/mail"
	"lyceum/cmd/server"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

// Run tests invitations on a store. open returns the configuration of a server whose store is
// empty. Servers with the same configuration share the store, if the store supports that.
func Run(t *testing.T, open func(t *testing.T) server.Config) {
	t.Helper()
	tests := []struct {
		name string
		run  func(t *testing.T, cfg server.Config)
	}{
		{"Arrives", arrives},
		{"Accepted", testAcceptance},
		{"SentAgain", testResending},
		{"ComesAgainWithTheSameMessageID", testRetry},
		{"WaitsForTheMailServer", testMailServerDown},
		{"RefusedForGood", testPermanentError},
		{"SingleSignOn", singleSignOn},
		{"PauseOutlivesThePerson", testPauseAfterDeletion},
		{"MessagesPerDay", testDailyLimit},
		{"ADeadWorker", testCrashedWorker},
		{"FinishedAtTheStop", testGracefulStop},
		{"CutOff", testAbortedDelivery},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// testServer is a server with one school.
type testServer struct {
	*server.Server
	queue  ports.Queue
	school school.ID
	key    string
}

// start runs a server until the end of the test. The server sends its messages to post.
func start(t *testing.T, cfg server.Config, clock *fake.Clock, post *mailtest.Server, auth school.AuthMethod) *testServer {
	t.Helper()
	s := serve(t, cfg, clock, post)
	s.addSchool(t, "Acme", auth)
	return s
}

// addSchool adds a school with the given name. Later requests of s use this school.
func (s *testServer) addSchool(t *testing.T, name string, auth school.AuthMethod) {
	t.Helper()
	var err error
	if s.school, s.key, err = (kit.School{Name: name, Auth: auth}).Import(t.Context(), s.App()); err != nil {
		t.Fatal(err)
	}
}

// withNewSchool returns a copy of s that uses a new school.
func (s *testServer) withNewSchool(t *testing.T) *testServer {
	t.Helper()
	other := *s
	other.addSchool(t, "Other", school.Preregistration)
	return &other
}

// serve is like start, but adds no school.
func serve(t *testing.T, cfg server.Config, clock *fake.Clock, post *mailtest.Server) *testServer {
	t.Helper()
	cfg.Transport.Addr = "127.0.0.1:0"
	cfg.Mail.Mode, cfg.Mail.TLS, cfg.Mail.From = mail.SMTP, mail.None, "no-reply@school.example"
	cfg.Mail.Host, cfg.Mail.Port = post.Host, post.Port
	cfg.Worker.Poll = 5 * time.Millisecond // jumps of the test's clock wake no worker
	s := &testServer{}
	var err error
	s.Server, err = server.New(cfg, fx.Populate(&s.queue), fx.Decorate(func(ports.Clock) ports.Clock { return clock }))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

// invite adds a learner through s, which creates an invitation.
func (s *testServer) invite(t *testing.T, email string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	body := `{"data":{"type":"people","attributes":{"email":"` + email + `"}}}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/v1/learners", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", s.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", response.StatusCode, answer)
	}
}

// undelivered returns the jobs of undelivered messages.
func (s *testServer) undelivered(t *testing.T) []job.Job {
	t.Helper()
	jobs, err := s.queue.List(context.Background(), invitation.Kind)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// eventually waits until so returns true, for at most 20 seconds.
func eventually(t *testing.T, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !so(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came true")
		}
	}
}
