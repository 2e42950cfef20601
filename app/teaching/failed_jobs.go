package teaching

import (
	"context"
	"slices"

	"lyceum/app/jobs"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/signin"
)

// MaxFailedJobs is the maximum number of failed jobs that are shown.
const MaxFailedJobs = 100

// shownJobs contains the kinds whose failed jobs are shown.
var shownJobs = []job.Kind{
	invitation.Kind, signin.Kind, signin.StrangerKind, bulk.JobKind, jobs.FileCleanupKind, jobs.CourseRemovalKind,
}

// FailedJobs returns the jobs of the school that have failed too often, at most MaxFailedJobs, the
// latest first.
func (t *Teaching) FailedJobs(ctx context.Context, s Staff) ([]job.Job, error) {
	a, err := s.manager()
	if err != nil {
		return nil, err
	}
	return t.app.Jobs.Dead(ctx, a.School(), shownJobs, MaxFailedJobs)
}

// RetryJob makes one of the FailedJobs run again.
func (t *Teaching) RetryJob(ctx context.Context, s Staff, id job.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	failed, err := t.FailedJobs(ctx, s)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(failed, func(j job.Job) bool { return j.ID == id })
	if i < 0 {
		return fault.RecordNotFound()
	}
	return t.app.Jobs.RetryBy(ctx, a, failed[i].Kind, id)
}
