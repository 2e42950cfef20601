package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/idempotency"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/submission"
)

// handInPath is where files are handed in.
const handInPath = "/v2/assignments/:id/submissions"

// handIn keeps a file that comes as a form, as it comes: it is never held in
// memory as a whole. The fields of the form may stand before and behind it.
func (s *server) handIn(c *gin.Context, a app.Actor, key string) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	of := assignment.ID{UUID: id}
	if err := s.app.Assignments.Check(c.Request.Context(), a, of); err != nil {
		return err
	}
	f, err := s.readForm(c)
	if err != nil {
		return err
	}
	up, err := f.upload()
	if err == nil {
		err = s.submit(c, a, key, of, f, up)
	}
	return idempotency.Explain(f.outcome(err))
}

// submit stores the file of a form, reads the rest of the form and answers with
// the submission made of both. Of a form in which anything is wrong nothing is
// saved: the response names what the store says as well.
func (s *server) submit(c *gin.Context, a app.Actor, key string, id assignment.ID, f *form, up learning.Upload) error {
	ctx := c.Request.Context()
	staged, err := s.app.Learning.Stage(ctx, a, up)
	if err != nil {
		return err
	}
	entrant, complete := f.entrant()
	if !complete {
		defer s.app.Learning.Discard(ctx, staged)
		_, err := s.app.Learning.Submit(ctx, a.DryRun(), id, entrant, staged)
		return err
	}
	respond := func(c *gin.Context, a app.Actor) error {
		made, err := s.app.Learning.Submit(c.Request.Context(), a, id, entrant, staged)
		if err != nil {
			return err
		}
		return s.Created(c, s.links.submission(made.ID.UUID), s.submission(a, submission.Summary{Submission: made}))
	}
	repeated := false
	if key == "" {
		err = respond(c, a)
	} else { // two forms are the same when their fields and files are: clients divide them anew each time
		repeated, err = s.replays.Once(c, idempotency.RequestOf(c, key, formType, f.content()...), respond)
	}
	if repeated && err == nil {
		s.app.Learning.Discard(ctx, staged)
	} else {
		s.app.Learning.Settle(ctx, staged, err)
	}
	return err
}

// outcome is what the client is told when a form came to err: first what is wrong
// with the form itself. Its fields are named as parameters, since a form has no
// places for pointers.
func (f *form) outcome(err error) error {
	var refused *respond.RefusalError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(f.broken, &tooLarge) || errors.As(err, &tooLarge):
		return respond.Refusef(http.StatusRequestEntityTooLarge, "The file is larger than %d bytes", f.limit)
	case errors.As(f.broken, &refused):
		return f.broken
	case f.broken != nil:
		return respond.Unread("form", f.broken)
	}
	if len(f.faults) > 0 {
		err = request.JoinFaults(fault.Join(f.faults...), err)
	}
	if !fault.IsRefusal(err) {
		return err
	}
	all := fault.All(err)
	named := make([]error, len(all))
	for i, at := range all {
		c := *at
		if c.Field == "name" {
			c.Field = filePart
		}
		c.Field, c.Param = "", c.Field
		named[i] = &c
	}
	return fault.Join(named...)
}

// patience lets a client take its time while it keeps to the pace, until the end
// of the request's context. A server that cannot grant it is just stricter.
func (s *server) patience(c *gin.Context, body io.Reader) io.Reader {
	control := http.NewResponseController(c.Writer)
	if end, ok := c.Request.Context().Deadline(); ok {
		_ = control.SetWriteDeadline(end.Add(s.cfg.TimeLimit))
	}
	return &unhurried{r: body, control: control, pace: limits.NewPace(s.cfg.UploadPause, s.cfg.UploadRate)}
}

// unhurried reads from a client for as long as the client keeps to the pace.
type unhurried struct {
	r       io.Reader
	control *http.ResponseController
	pace    limits.Pace
}

// Read reads on. Time in which nothing is read does not count.
func (u *unhurried) Read(b []byte) (int, error) {
	begin := time.Now()
	_ = u.control.SetReadDeadline(u.pace.Deadline(begin))
	n, err := u.r.Read(b)
	u.pace.Moved(n, time.Since(begin))
	return n, err
}
