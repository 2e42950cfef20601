package server

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"

	"go.uber.org/fx"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/app/reactions"
)

// reaction is a function that an extension calls for changes.
type reaction struct {
	name  string
	types []string
	react reactions.Func
}

// WithReaction calls react after each change of a record of the given types, in every school;
// without types, of all records. It is called at least once for each change, in the background. The
// name identifies the reaction in the database: a reaction with a new name starts with the changes
// after its first start.
func WithReaction(name string, types []string, react reactions.Func) Option {
	return func(e *Extension) { e.reactions = append(e.reactions, reaction{name, types, react}) }
}

// ReactInRequests calls the reactions before the response of each request that changes something,
// instead of in the background. It is for tests.
func ReactInRequests() Option {
	return func(e *Extension) { e.reactInRequests = true }
}

// withReactions adds the reactions of the extension to a, before other parts of the server use a:
// the workers are created for the reactions that exist by then.
func (e Extension) withReactions(a *app.App, log *slog.Logger) (*app.App, error) {
	for _, r := range e.reactions {
		if err := a.Reactions.Add(r.name, r.types, r.logged(log)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// logged returns the function of r, which also logs its errors. Jobs contain only that there was an
// error: its text may name a person, whose deletion would not find it.
func (r reaction) logged(log *slog.Logger) reactions.Func {
	return func(ctx context.Context, n reactions.Notification) error {
		err := r.react(ctx, n)
		if err == nil {
			return nil
		}
		log.Warn("a reaction failed", slog.String("reaction", r.name), slog.String("school", n.School.String()),
			slog.Int64("change", n.Change.Position), slog.Any("error", err))
		return loggedError{err}
	}
}

// loggedError is an error with a text that does not name what has failed.
type loggedError struct{ error }

// Error implements error.
func (loggedError) Error() string {
	return "the reaction failed; the log of the server contains the error"
}

// Unwrap returns the error of the reaction.
func (e loggedError) Unwrap() error { return e.error }

// followerWorks returns the works that follow the change feeds and call the reactions.
func followerWorks(cfg Config, a *app.App) []worker.Work {
	works := []worker.Work{{Kind: "follow", Next: a.Followers.Next, Poll: followPoll, Count: 1}}
	if cfg.Extension.reactInRequests {
		return works
	}
	for _, kind := range a.Reactions.Kinds() {
		works = append(works, worker.Work{Kind: kind, Next: func(ctx context.Context) (bool, error) {
			return a.Reactions.RunNext(ctx, kind)
		}})
	}
	return works
}

// startFollowers starts the followers of schools that have none before the first request. After a
// failure, the worker tries it again.
func startFollowers(lc fx.Lifecycle, a *app.App, log *slog.Logger) {
	lc.Append(fx.StartHook(func(ctx context.Context) {
		if _, err := a.Followers.Next(ctx); err != nil {
			log.Warn("cannot follow the change feeds yet", slog.Any("error", err))
		}
	}))
}

// reactBeforeResponse returns a handler that calls all reactions before the response of next.
func reactBeforeResponse(a *app.App, next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if respond.IsRead(r.Method) {
			next.ServeHTTP(w, r)
			return
		}
		held := &heldResponse{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(held, r)
		if err := a.Reactions.RunAll(context.WithoutCancel(r.Context())); err != nil {
			log.Error("reactions failed", slog.Any("error", err))
		}
		w.WriteHeader(held.status)
		_, _ = held.body.WriteTo(w)
	})
}

// heldResponse holds back a response.
type heldResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (h *heldResponse) WriteHeader(status int) { h.status = status }

// Write implements io.Writer.
func (h *heldResponse) Write(p []byte) (int, error) { return h.body.Write(p) }

// Unwrap returns the writer of the connection, for http.ResponseController.
func (h *heldResponse) Unwrap() http.ResponseWriter { return h.ResponseWriter }
