package app

import (
	"lyceum/app/learning"
	"lyceum/app/transfer"
	"lyceum/app/usecase"
	"lyceum/domain/invitation"
	"lyceum/domain/policy"
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
	Learning     *learning.Learning
	Analytics    *Analytics
	Events       *Events
	Discards     *Discards
	Rebuild      *Rebuild
	Transfers    *transfer.Transfers
	Invitations  *Invitations
	Outbox       *Outbox
	Provision    *Provision
	Health       *Health

	policies *usecase.Policies
	quotas   Quotas
	added    policy.Set
}

// New returns the use cases on the given store with its schools and its queue;
// letters go to inviter, what is handed in to files.
func New(
	store ports.Store, schools ports.Schools, queue ports.Queue, files ports.Files, inviter ports.Inviter,
	clock ports.Clock, ids ports.IDs,
) *App {
	d := usecase.Deps{Store: store, Schools: schools, Clock: clock, IDs: ids, Policies: &usecase.Policies{}}
	*d.Policies = usecase.NewPolicies(Quotas{}, policy.Set{})
	return &App{
		policies:     d.Policies,
		Auth:         newAuth(d),
		School:       &School{deps: d},
		Keys:         &Keys{deps: d},
		Repeats:      &Repeats{deps: d},
		Categories:   &Categories{deps: d},
		Coupons:      &Coupons{deps: d},
		Redemptions:  &Redemptions{deps: d},
		Courses:      &Courses{deps: d, queue: queue},
		People:       &People{deps: d},
		Partnerships: &Partnerships{deps: d},
		Learners:     &Learners{deps: d},
		Enrollments:  &Enrollments{deps: d},
		Groups:       &Groups{deps: d},
		Memberships:  &Memberships{deps: d},
		Bulk:         &Bulk{deps: d, queue: queue},
		Activities:   &Activities{deps: d},
		Structures:   &Structures{deps: d},
		Quizzes:      &Quizzes{deps: d},
		Assignments:  &Assignments{deps: d},
		Submissions:  &Submissions{deps: d, files: files},
		Learning:     learning.New(d, files),
		Analytics:    &Analytics{deps: d},
		Events:       &Events{deps: d},
		Discards:     &Discards{deps: d, queue: queue, files: files},
		Rebuild:      &Rebuild{deps: d},
		Outbox:       (&Outbox{deps: d, queue: queue}).Letters(),
		Invitations:  &Invitations{deps: d, queue: queue, inviter: inviter, lifetime: invitation.Lifetime, limits: invitation.Limits{PerDay: invitation.MessagesPerDay}},
		Transfers:    transfer.New(d, files),
		Provision:    &Provision{deps: d},
		Health:       &Health{deps: d, files: files},
	}
}
