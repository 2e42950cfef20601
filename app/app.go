package app

import (
	"encoding/hex"

	"lyceum/domain/invitation"
	"lyceum/domain/text"
	"lyceum/ports"
)

// App is all use cases together, as transports get them.
type App struct {
	Auth         *Auth
	School       *School
	Keys         *Keys
	Repeats      *Repeats
	Categories   *Categories
	Coupons      *Coupons
	Redemptions  *Redemptions
	Courses      *Courses
	People       *People
	Partnerships *Partnerships
	Learners     *Learners
	Enrollments  *Enrollments
	Groups       *Groups
	Memberships  *Memberships
	Bulk         *Bulk
	Activities   *Activities
	Structures   *Structures
	Quizzes      *Quizzes
	Assignments  *Assignments
	Submissions  *Submissions
	Learning     *Learning
	Analytics    *Analytics
	Events       *Events
	Discards     *Discards
	Rebuild      *Rebuild
	Transfers    *Transfers
	Invitations  *Invitations
	Outbox       *Outbox
	Provision    *Provision
	Health       *Health

	quotas *Quotas
}

// New returns the use cases on the given store with its schools and its queue;
// letters go to inviter, what is handed in to files.
func New(
	store ports.Store, schools ports.Schools, queue ports.Queue, files ports.Files, inviter ports.Inviter,
	clock ports.Clock, ids ports.IDs,
) *App {
	d := deps{store: store, schools: schools, clock: clock, ids: ids, quotas: &Quotas{}}
	return &App{
		quotas:       d.quotas,
		Auth:         newAuth(d),
		School:       &School{d},
		Keys:         &Keys{d},
		Repeats:      &Repeats{d},
		Categories:   &Categories{d},
		Coupons:      &Coupons{d},
		Redemptions:  &Redemptions{d},
		Courses:      &Courses{deps: d, queue: queue},
		People:       &People{d},
		Partnerships: &Partnerships{d},
		Learners:     &Learners{d},
		Enrollments:  &Enrollments{d},
		Groups:       &Groups{d},
		Memberships:  &Memberships{d},
		Bulk:         &Bulk{deps: d, queue: queue},
		Activities:   &Activities{d},
		Structures:   &Structures{d},
		Quizzes:      &Quizzes{d},
		Assignments:  &Assignments{d},
		Submissions:  &Submissions{deps: d, files: files},
		Learning:     &Learning{deps: d, files: files},
		Analytics:    &Analytics{d},
		Events:       &Events{d},
		Discards:     &Discards{deps: d, queue: queue, files: files},
		Rebuild:      &Rebuild{d},
		Outbox:       (&Outbox{deps: d, queue: queue}).Letters(),
		Invitations:  &Invitations{deps: d, queue: queue, inviter: inviter, lifetime: invitation.Lifetime, limits: invitation.Limits{PerDay: invitation.MessagesPerDay}},
		Transfers:    &Transfers{deps: d, files: files},
		Provision:    &Provision{d},
		Health:       &Health{deps: d, files: files},
	}
}

// deps is what use cases are made of.
type deps struct {
	store   ports.Store
	schools ports.Schools
	clock   ports.Clock
	ids     ports.IDs
	quotas  *Quotas // which all use cases share
}

// newToken returns a new secret part of a link (text.Token).
func (d deps) newToken() string { return hex.EncodeToString(d.ids.Random(text.TokenBytes)) }
