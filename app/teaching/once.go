package teaching

import (
	"context"
	"errors"
	"net/http"

	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/idempotency"
)

// Form identifies a form that creates a record, so that a browser that sends it twice, such as by
// reloading the response, does not create two records.
type Form struct {
	Token   string // unique to the page with the form; blank: the form is not recognized again
	Content string // what was sent, so that the form can be sent again with other values
}

var errSent = fault.Conflictf("", "This form was already sent, so nothing was changed now. A secret is shown only once. If you have not copied it, replace it")

// once calls do, which returns the ID of the record that it creates. If the form was processed
// within the last day, it returns the ID of that record, and true, instead.
func (t *Teaching) once(
	ctx context.Context, a usecase.Actor, f Form, do func(ctx context.Context, a usecase.Actor) (id string, err error),
) (id string, again bool, err error) {
	if f.Token == "" {
		id, err = do(ctx, a)
		return id, false, err
	}
	of := app.IdempotentRequest{ID: idempotency.NewID("form", f.Content, f.Token)}
	first, again, err := t.app.Idempotency.Run(ctx, a, of, func(ctx context.Context, a usecase.Actor) (idempotency.Response, error) {
		id, err := do(ctx, a)
		return idempotency.Response{Status: http.StatusCreated, Location: id}, err
	})
	if errors.Is(err, idempotency.ErrErased) {
		err = errSent
	}
	return first.Location, again, err
}

// onlyOnce is like once, for forms whose response contains a secret. It returns Conflict instead of
// the secret if the form was processed before.
func (t *Teaching) onlyOnce(ctx context.Context, a usecase.Actor, f Form, do func(ctx context.Context, a usecase.Actor) error) error {
	_, again, err := t.once(ctx, a, f, func(ctx context.Context, a usecase.Actor) (string, error) { return "", do(ctx, a) })
	if err == nil && again {
		err = errSent
	}
	return err
}
