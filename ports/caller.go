package ports

import "context"

type callerKey struct{}

// WithCaller returns a context whose operations belong to the caller with the given ID: an API key, a
// learner or a client network. A store can share what a school may use between its callers.
func WithCaller(ctx context.Context, id [16]byte) context.Context {
	return context.WithValue(ctx, callerKey{}, id)
}

// Caller returns the caller of ctx; zero: the server itself, such as a worker.
func Caller(ctx context.Context) [16]byte {
	id, _ := ctx.Value(callerKey{}).([16]byte)
	return id
}
