package httpapi

import (
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/formdata"
	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/httpapi/upload"
	"lyceum/adapters/limiter"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/submission"
)

func (s *server) listSubmissions() handler {
	l := s.submissions()
	l.List = s.app.Submissions.List
	return list(s, l)
}

func (s *server) listSubmissionsOf() handler {
	return listOf(s, s.app.Submissions.ListOf, s.submissions())
}

func (s *server) submissions() lists.Listing[submission.Summary] {
	return lists.Listing[submission.Summary]{Schema: submission.Schema, ToResource: s.submission}
}

type submissionAttributes struct {
	CreatedAt string `json:"created_at"`
}

type submissionRelationships struct {
	Assignment    jsonapi.ToOne `json:"assignment"`
	Course        jsonapi.ToOne `json:"course"`
	Person        jsonapi.ToOne `json:"person"`
	CourseAttempt jsonapi.ToOne `json:"course_attempt"`
}

type submissionLinks struct {
	Self     string `json:"self"`
	Download string `json:"download"`
}

func (s *server) submission(a app.Actor, m submission.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       submission.Type,
		ID:         m.ID.String(),
		Attributes: submissionAttributes{CreatedAt: timestamp(m.CreatedAt)},
		Relationships: submissionRelationships{
			Assignment:    jsonapi.One(assignment.Type, m.Assignment.String()),
			Course:        jsonapi.One(course.Type, m.Course.String()),
			Person:        jsonapi.One(person.Type, m.Person.String()),
			CourseAttempt: jsonapi.One(attempt.Type, m.CourseAttempt.String()),
		},
		Links: submissionLinks{
			Self:     s.links.submission(m.ID.UUID),
			Download: s.cfg.Downloads.Link(s.links.download(m.ID.UUID, m.File.SafeName()), a.School(), m.Submission),
		},
	}
}

func (s *server) newDownloads() *downloads.Server {
	return &downloads.Server{
		Responder: s.Responder, Config: s.cfg.Downloads, Unknown: s.rates.UnknownTokens, Network: s.middleware.Network,
		Open: s.app.Submissions.Download,
	}
}

// submissionsPath is the path to which files are submitted.
const submissionsPath = "/v2/assignments/:id/submissions"

// submitFile stores a file from a form while the form arrives, without holding the whole file in
// memory. The other fields of the form can come before or after the file.
func (s *server) submitFile(c *gin.Context, a app.Actor, key string) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	of := assignment.ID{UUID: id}
	w := work{left: s.cfg.TimeLimit, lanes: s.Lanes}
	err = w.limit(c, func() error { return s.app.Assignments.Check(c.Request.Context(), a, of) })
	if err != nil {
		return err
	}
	f, err := upload.Open(c, s.cfg.UploadLimit, s.ExtendDeadlines)
	if err != nil {
		return err
	}
	up, err := f.Upload()
	if err == nil {
		err = s.createSubmission(c, a, key, of, f, up, &w)
	}
	return idempotency.Explain(f.Error(err))
}

// createSubmission stores the file of a form, reads the rest of the form and creates the
// submission. If the form has a fault, nothing is saved, and the response also contains the faults
// of a dry run.
func (s *server) createSubmission(
	c *gin.Context, a app.Actor, key string, id assignment.ID, f *upload.Form, up learning.Upload, w *work,
) error {
	ctx := c.Request.Context()
	var staged learning.Staged
	err := w.limit(c, func() (err error) {
		staged, err = s.app.Learning.Announce(c.Request.Context(), a, up)
		return err
	})
	if err != nil {
		return err
	}
	if staged, err = s.app.Learning.Stage(ctx, staged, up); err != nil {
		return err
	}
	// The file can take long to arrive.
	if err = w.limit(c, func() error { return s.middleware.Reauthenticate(c) }); err != nil {
		s.app.Learning.Discard(ctx, staged)
		return err
	}
	submitter, complete := f.Submitter()
	if !complete {
		defer s.app.Learning.Discard(ctx, staged)
		return w.limit(c, func() error {
			_, err := s.app.Learning.Submit(c.Request.Context(), a.DryRun(), id, submitter, staged)
			return err
		})
	}
	create := func(c *gin.Context, a app.Actor) error {
		made, err := s.app.Learning.Submit(c.Request.Context(), a, id, submitter, staged)
		if err != nil {
			return err
		}
		return s.WriteResource(c, s.links.submission(made.ID.UUID), s.submission(a, submission.Summary{Submission: made}))
	}
	repeated := false
	err = w.limit(c, func() (err error) {
		if key == "" {
			return create(c, a)
		}
		// Requests are compared by fields and file, because the boundary of the form differs in a
		// retry.
		repeated, err = s.replays.Run(c, idempotency.RequestOf(c, key, formdata.MediaType, f.Content()...), create)
		return err
	})
	if repeated && err == nil {
		s.app.Learning.Discard(ctx, staged)
	} else {
		s.app.Learning.Settle(ctx, staged, err)
	}
	return err
}

// work limits the processing of an upload, which excludes reading from the client.
type work struct {
	left  time.Duration
	lanes limits.Lanes
}

// limit calls do, in turn with the other requests of the school. The context of the request ends when
// the remaining time is used up.
func (w *work) limit(c *gin.Context, do func() error) (err error) {
	begin := time.Now()
	defer func() { w.left -= time.Since(begin) }()
	respond.WithTimeout(c, w.left, func() {
		of := respond.StateOf(c).Client()
		of.Yields = true // the person can be locked by a long change
		var slot *limiter.Slot
		slot, err = w.lanes.EnterSchool(c.Request.Context(), nil, of)
		defer slot.Release()
		if err == nil {
			err = do()
		}
	})
	return err
}
