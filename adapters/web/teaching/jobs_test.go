package teaching_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/stores"
)

// deadJob returns the only dead job of a kind.
func (s *server) deadJob(t *testing.T, kind job.Kind) job.Job {
	t.Helper()
	is := is.New(t)
	found, err := s.Jobs.List(t.Context(), kind, job.Dead)
	is.NoErr(err)
	is.Equal(len(found), 1)
	return found[0]
}

// signInSender refuses messages while failure is set, and counts the others.
type signInSender struct {
	failure error
	sent    int
}

// SendSignIn implements ports.SignInSender.
func (s *signInSender) SendSignIn(context.Context, signin.Message) error {
	if s.failure == nil {
		s.sent++
	}
	return s.failure
}

// A failed job that is retried from the page disappears from it and succeeds.
func TestFailedJobIsRetried(t *testing.T) {
	refused := fault.Invalidf("email", "550 no such mailbox")
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		s := newServer(t, open)
		b := s.as(t, manager)
		links := &signInSender{failure: refused}
		s.SignInDelivery.SetSender(links)
		s.emails.Fail(refused)
		for _, tt := range []struct {
			name, kind string
			of         job.Kind
			enqueue    func() error
			run        func(ctx context.Context) (bool, error)
			fix        func()
			succeeded  func() bool
		}{
			{
				"an invitation email", "invitation email", invitation.Kind,
				func() error {
					_, err := s.People.Create(t.Context(), app.SystemActor(demo.SchoolID), person.Profile{Email: "eve@example.test"})
					return err
				},
				s.InvitationDelivery.DeliverNext, func() { s.emails.Fail(nil) }, func() bool { return len(s.emails.Messages()) == 1 },
			},
			{
				"an email with a sign-in link", "email with a sign-in link", signin.Kind,
				func() error {
					of, err := s.SignIns.School(t.Context(), demo.Slug)
					if err != nil {
						return err
					}
					return s.SignIns.Request(t.Context(), of, learner, "", false)
				},
				s.SignInDelivery.DeliverNext, func() { links.failure = nil }, func() bool { return links.sent == 1 },
			},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				run := func() {
					for more := true; more; {
						var err error
						more, err = tt.run(t.Context())
						is.NoErr(err)
					}
				}
				is.NoErr(tt.enqueue())
				run()
				failed := s.deadJob(t, tt.of)
				path := "/jobs/" + failed.ID.String() + "/retry"
				p := b.get("/jobs")
				is.True(p.has(">"+tt.kind+"<") && p.has("550") && p.has(path))

				again := b.post(path)
				is.Equal(again.path, "/jobs?done=1")
				is.True(!again.has(path)) // it waits
				run()
				is.True(b.get("/jobs").has(path)) // it has failed again
				tt.fix()
				is.Equal(b.post(path).path, "/jobs?done=1")
				run()
				is.True(tt.succeeded())
				is.True(b.get("/jobs").has("No job has failed."))
				left, err := s.Jobs.List(t.Context(), tt.of)
				is.NoErr(err)
				is.Equal(len(left), 0)
				is.Equal(b.post(path).status, http.StatusNotFound) // it is done
			})
		}
	})
}

// The failed jobs of another school are neither shown nor retried.
func TestFailedJobsOfAnotherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		other, err := s.Provision.CreateSchool(t.Context(), "Other", school.Preregistration, owner)
		is.NoErr(err)
		_, err = s.People.Create(t.Context(), app.SystemActor(other.ID), person.Profile{Email: "eve@example.test"})
		is.NoErr(err)
		s.emails.Fail(fault.Invalidf("email", "550 no such mailbox"))
		for more := true; more; {
			more, err = s.InvitationDelivery.DeliverNext(t.Context())
			is.NoErr(err)
		}
		failed := s.deadJob(t, invitation.Kind)
		b := s.as(t, owner)
		is.True(b.get("/jobs").has("No job has failed."))
		is.Equal(b.post("/jobs/"+failed.ID.String()+"/retry").status, http.StatusNotFound)
		is.Equal(s.deadJob(t, invitation.Kind), failed)
	})
}
