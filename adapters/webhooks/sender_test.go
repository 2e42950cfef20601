package webhooks_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/limiter"
	"lyceum/adapters/webhooks"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// A message is not signed while all turns are taken, and sent when one becomes free.
func TestMessagesAreSignedByTurns(t *testing.T) {
	is := is.New(t)
	received := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		received <- r.Header.Get("Webhook-Signature")
	}))
	defer s.Close()
	turns := limiter.New(limiter.Config{Slots: 1, Waiting: 2, Wait: time.Minute})
	sender := webhooks.New(http.DefaultClient, turns)
	taken, err := turns.Acquire(t.Context(), limiter.Origin{School: uuid.New()})
	is.NoErr(err)

	sent := make(chan webhook.Result)
	go func() {
		sent <- sender.Send(context.Background(), ports.WebhookMessage{
			School: school.ID{UUID: uuid.New()}, ID: "msg", URL: s.URL, At: time.Now(), Body: []byte("{}"),
			Secrets: []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
		})
	}()
	for turns.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	is.Equal(len(received), 0)
	taken.Release()
	is.Equal((<-sent).Status, http.StatusOK)
	is.True(<-received != "")
	is.Equal(turns.Stats().Running, 0)
}

// A message whose context ends while it waits for its turn is not sent.
func TestMessageGivesUpItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		turns := limiter.New(limiter.Config{Slots: 1, Waiting: 2, Wait: time.Minute})
		_, err := turns.Acquire(t.Context(), limiter.Origin{School: uuid.New()})
		is.NoErr(err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		is.Equal(webhooks.New(http.DefaultClient, turns).Send(ctx, ports.WebhookMessage{URL: "http://127.0.0.1:1"}).Error, "No response in time")
	})
}
