package app

import "lyceum/ports"

// App is all use cases together, as transports get them.
type App struct {
	Auth        *Auth
	Categories  *Categories
	Courses     *Courses
	People      *People
	Learners    *Learners
	Enrollments *Enrollments
	Groups      *Groups
	Memberships *Memberships
	Provision   *Provision
	Health      *Health
}

// New returns the use cases on the given store, clock and source of ids.
func New(store ports.Store, schools ports.Schools, clock ports.Clock, ids ports.IDs) *App {
	d := deps{store: store, schools: schools, clock: clock, ids: ids}
	return &App{
		Auth:        newAuth(d),
		Categories:  &Categories{d},
		Courses:     &Courses{d},
		People:      &People{d},
		Learners:    &Learners{d},
		Enrollments: &Enrollments{d},
		Groups:      &Groups{d},
		Memberships: &Memberships{d},
		Provision:   &Provision{d},
		Health:      &Health{d},
	}
}

// deps is what use cases are made of.
type deps struct {
	store   ports.Store
	schools ports.Schools
	clock   ports.Clock
	ids     ports.IDs
}
