package server_test

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/reactions"
	"lyceum/cmd/server"
	"lyceum/test/kit"
)

// A running server calls the reactions of its extension in the background.
func TestReactionsOfARunningServer(t *testing.T) {
	is := is.New(t)
	called := make(chan struct{}, 100)
	cfg := local()
	cfg.Worker.Poll = 20 * time.Millisecond
	cfg.Extension = server.Extend(server.WithReaction("test", []string{"categories"}, func(context.Context, reactions.Notification) error {
		called <- struct{}{}
		return nil
	}))
	s, err := server.New(cfg)
	is.NoErr(err)
	is.NoErr(s.Start(t.Context()))
	defer func() { is.NoErr(s.Stop()) }()
	_, key, err := kit.School{Name: "Acme"}.Import(t.Context(), s.App())
	is.NoErr(err)
	a, err := s.App().Auth.Authenticate(t.Context(), key)
	is.NoErr(err)
	_, err = s.App().Categories.Create(t.Context(), a, "Music")
	is.NoErr(err)
	select {
	case <-called:
	case <-time.After(20 * time.Second):
		t.Fatal("the reaction was not called")
	}
}
