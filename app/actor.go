package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/school"
)

// Aliases of types in package usecase, so that transports need not import it.
type (
	// Actor is usecase.Actor.
	Actor = usecase.Actor
	// Quotas is usecase.Quotas.
	Quotas = usecase.Quotas
)

// AsOperator returns a context for a command of the operator (usecase.AsOperator).
func AsOperator(ctx context.Context) context.Context { return usecase.AsOperator(ctx) }

// SystemActor returns the actor of commands and jobs in school s.
func SystemActor(s school.ID) Actor { return usecase.SystemActor(s) }
