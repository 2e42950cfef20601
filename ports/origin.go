package ports

import (
	"context"

	"lyceum/domain/audit"
)

type originKey struct{}

// WithOrigin returns a context whose transactions record o in the audit trail.
func WithOrigin(ctx context.Context, o audit.Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin of ctx; zero if it has none.
func OriginOf(ctx context.Context) audit.Origin {
	o, _ := ctx.Value(originKey{}).(audit.Origin)
	return o
}
