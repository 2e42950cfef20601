package sso

import (
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/fake"
)

// An issuer is discarded after an hour, and not together with the one that it has replaced.
func TestIssuersAreDiscarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		s := New(&http.Client{Transport: http.DefaultTransport}, fake.NewClock(fake.Start), slog.New(slog.DiscardHandler))
		s.issuer("https://one.test", "https://school.test/sso/return")
		time.Sleep(issuerLife / 2)
		second := s.issuer("https://two.test", "https://school.test/sso/return")
		time.Sleep(issuerLife/2 + time.Millisecond)
		is.Equal(s.issuer("https://two.test", "https://school.test/sso/return"), second)
		time.Sleep(issuerLife / 2)
		is.Equal(len(s.issuers), 0)
	})
}
