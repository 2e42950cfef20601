package pgdb

import (
	"context"

	"lyceum/adapters/tracing"
)

// traced calls run, which runs a statement. If ctx belongs to a span, it records a span with the
// text of the statement, which has parameters instead of values.
func traced[T any](ctx context.Context, text string, run func(ctx context.Context) (T, error)) (T, error) {
	if !tracing.In(ctx) {
		return run(ctx)
	}
	ctx, span := tracing.Begin(ctx, "statement", tracing.Text("db.system.name", "postgresql"), tracing.Text("db.query.text", text))
	result, err := run(ctx)
	span.End(err != nil)
	return result, err
}

// tracedTx is like traced, for a transaction.
func tracedTx(ctx context.Context, run func(ctx context.Context) error) error {
	if !tracing.In(ctx) {
		return run(ctx)
	}
	ctx, span := tracing.Begin(ctx, "transaction", tracing.Text("db.system.name", "postgresql"))
	err := run(ctx)
	span.End(err != nil)
	return err
}
