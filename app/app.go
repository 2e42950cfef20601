package app

import (
	"lyceum/app/auth"
	"lyceum/app/bulk"
	"lyceum/app/follow"
	"lyceum/app/jobs"
	"lyceum/app/learning"
	"lyceum/app/operator"
	"lyceum/app/reactions"
	"lyceum/app/transfer"
	"lyceum/app/usecase"
	"lyceum/app/webhooks"
	"lyceum/domain/idempotency"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// App contains all use cases.
type App struct {
	Auth               *auth.Authenticator
	School             *School
	Keys               *Keys
	Tokens             *auth.Tokens
	Idempotency        *Idempotency
	Properties         *Properties
	Categories         *Categories
	Coupons            *Coupons
	Redemptions        *Redemptions
	Courses            *Courses
	People             *People
	Partnerships       *Partnerships
	Learners           *Learners
	Enrollments        *Enrollments
	Groups             *Groups
	Memberships        *Memberships
	Bulk               *bulk.Bulk
	Activities         *Activities
	Structures         *Structures
	Quizzes            *Quizzes
	Assignments        *Assignments
	Submissions        *Submissions
	Player             *Player
	Learning           *learning.Learning
	Analytics          *Analytics
	Events             *Events
	Changes            *Changes
	Audit              *Audit
	FileCleanup        *jobs.FileCleanup
	CourseRemoval      *jobs.CourseRemoval
	Reconcile          *operator.Reconcile
	Transfers          *transfer.Transfers
	Invitations        *Invitations
	InvitationDelivery *jobs.InvitationDelivery
	Jobs               *jobs.Jobs
	Provision          *operator.Provision
	Health             *Health
	SignIns            *auth.SignIns
	SignInDelivery     *jobs.SignInDelivery
	Academy            *Academy
	Followers          *follow.Followers
	Reactions          *reactions.Reactions
	Webhooks           *webhooks.Webhooks

	policies *usecase.Policies
	secrets  *usecase.Secrets
	quotas   Quotas
	added    policy.Set
}

// New returns the use cases on a store. inviter sends invitation emails, and files stores submitted
// files.
func New(
	store ports.Store, schools ports.Schools, queue ports.Queue, files ports.Files, inviter ports.InvitationSender,
	clock ports.Clock, ids ports.IDs,
) *App {
	d := usecase.Deps{
		Store: store, Schools: schools, Clock: clock, IDs: ids,
		Policies: &usecase.Policies{}, Secrets: &usecase.Secrets{}, Processors: usecase.NewProcessors(), Additions: usecase.NewAdditions(clock),
	}
	*d.Policies = usecase.NewPolicies(Quotas{}, policy.Set{})
	delivery := jobs.NewInvitationDelivery(d, queue, inviter)
	followers, authenticator := follow.New(d), auth.NewAuthenticator(d)
	return &App{
		policies:           d.Policies,
		secrets:            d.Secrets,
		Auth:               authenticator,
		School:             &School{deps: d},
		Keys:               &Keys{deps: d, auth: authenticator},
		Tokens:             auth.NewTokens(d),
		Idempotency:        &Idempotency{deps: d, retention: idempotency.Retention},
		Properties:         &Properties{deps: d},
		Categories:         &Categories{deps: d},
		Coupons:            &Coupons{deps: d},
		Redemptions:        &Redemptions{deps: d},
		Courses:            &Courses{deps: d},
		People:             &People{deps: d},
		Partnerships:       &Partnerships{deps: d},
		Learners:           &Learners{deps: d},
		Enrollments:        &Enrollments{deps: d},
		Groups:             &Groups{deps: d},
		Memberships:        &Memberships{deps: d},
		Bulk:               bulk.New(d, queue),
		Activities:         &Activities{deps: d},
		Structures:         &Structures{deps: d},
		Quizzes:            &Quizzes{deps: d},
		Assignments:        &Assignments{deps: d},
		Submissions:        &Submissions{deps: d, files: files},
		Player:             &Player{deps: d},
		Learning:           learning.New(d, files),
		Analytics:          &Analytics{deps: d},
		Events:             &Events{deps: d},
		Changes:            &Changes{deps: d, retention: ChangeRetention},
		Audit:              &Audit{deps: d, retention: AuditRetention},
		FileCleanup:        jobs.NewFileCleanup(d, queue, files),
		CourseRemoval:      jobs.NewCourseRemoval(d, queue),
		Reconcile:          operator.NewReconcile(d),
		Jobs:               jobs.New(d, queue),
		Invitations:        &Invitations{deps: d},
		InvitationDelivery: delivery,
		SignIns:            auth.NewSignIns(d),
		SignInDelivery:     jobs.NewSignInDelivery(d, queue, delivery),
		Academy:            &Academy{deps: d, enrollments: &Enrollments{deps: d}, memberships: &Memberships{deps: d}, redemptions: &Redemptions{deps: d}},
		Followers:          followers,
		Reactions:          reactions.New(d, queue, followers),
		Webhooks:           webhooks.New(d, queue, followers),
		Transfers:          transfer.New(d, files),
		Provision:          operator.NewProvision(d, files),
		Health:             &Health{deps: d, files: files},
	}
}

// SetServerSecret sets the secret of the server, which encrypts the secrets that schools save. It
// must be called before the first request. If it is blank, schools cannot save secrets.
func (a *App) SetServerSecret(secret string) { a.secrets.SetKey(secret) }
