package app

import (
	"lyceum/app/usecase"
	"lyceum/domain/school"
)

// What transports need of package usecase.
type (
	// Actor is on whose behalf a use case runs.
	Actor = usecase.Actor
	// Quotas bound what a school may hold.
	Quotas = usecase.Quotas
)

// System returns the actor for the operator's own work in school s.
func System(s school.ID) Actor { return usecase.System(s) }
