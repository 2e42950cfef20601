package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/fault"
	"lyceum/domain/submission"
	"lyceum/domain/text"
)

// formOverhead is the maximum size in bytes of a form without its file.
const formOverhead = 64 << 10

// workData is the data of an assignment.
type workData struct {
	Files   []fileData // the latest first
	More    bool       // whether there are earlier files
	Maximum int64      // maximum size of a file in megabytes
}

type fileData struct{ Path, Name, Size, Day string }

func (x *siteRequest) newWorkData(p app.PlayedActivity) (*workData, error) {
	latest, err := x.site.app.Player.Submissions(x.r.Context(), x.visitor.Actor, p)
	data := &workData{More: latest.More, Maximum: x.site.cfg.UploadLimit >> 20}
	for _, s := range latest.Items {
		data.Files = append(data.Files, fileData{
			Path: activityPath(p) + "/files/" + s.ID.String(), Name: s.File.Name, Size: sizeText(s.File.Size), Day: x.texts.date(s.CreatedAt),
		})
	}
	return data, err
}

// submitFile saves the file of a form as a submission. It stores the file while receiving it.
func submitFile(x *siteRequest) error {
	p, err := x.played()
	if err != nil {
		return err
	}
	body, err := x.site.cfg.Admission.AdmitFile(x.w, x.r, x.school.ID)
	if err != nil {
		return err
	}
	until := time.Now().Add(transferTime)
	// The deadline of the server is too short for an upload. If it cannot be replaced, it applies.
	_ = http.NewResponseController(x.w).SetWriteDeadline(until.Add(time.Minute))
	// Use a context without the time limit of pages. If the client disconnects, reading the body
	// fails.
	ctx, cancel := context.WithDeadline(context.WithoutCancel(x.r.Context()), until)
	defer cancel()
	x.r.Body = http.MaxBytesReader(x.w, io.NopCloser(body), x.site.cfg.UploadLimit+formOverhead)
	err = x.stageAndSubmit(ctx, p)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return x.renderActivity(http.StatusRequestEntityTooLarge, p, x.texts.Player.FileTooLarge)
	}
	if refused, ok := problems(err); ok {
		return x.renderActivity(http.StatusUnprocessableEntity, p, refused...)
	}
	if err != nil {
		return err
	}
	return x.redirect(activityPath(p))
}

var errNoFile = fault.Invalidf("file", "No file was chosen")

func (x *siteRequest) stageAndSubmit(ctx context.Context, p app.PlayedActivity) error {
	file, err := FileOf(x.r)
	if err == nil && file == nil {
		err = errNoFile
	}
	if err != nil {
		return err
	}
	up := learning.Upload{Name: file.FileName(), MediaType: file.Header.Get("Content-Type"), Bytes: file}
	l := x.site.app.Learning
	staged, err := l.Announce(ctx, x.visitor.Actor, up)
	if err != nil {
		return err
	}
	if staged, err = l.Stage(ctx, staged, up); err != nil {
		return err
	}
	if err = x.identifyAgain(ctx); err == nil {
		err = x.admitVisitor()
	}
	if err != nil {
		l.Discard(ctx, staged)
		return err
	}
	_, err = l.Submit(ctx, x.visitor.Actor, p.Activity.Content.Assignment,
		learning.Submitter{Person: x.visitor.Person.ID, Activity: &p.Activity.ID}, staged)
	l.Settle(ctx, staged, err)
	return err
}

// identifyAgain returns errSignIn if the session has ended while the file arrived.
func (x *siteRequest) identifyAgain(ctx context.Context) error {
	x.r, x.visitor = x.r.WithContext(ctx), nil
	if err := x.enterSchool(); err != nil {
		return err
	}
	if x.visitor == nil {
		return errSignIn
	}
	return nil
}

// downloadSubmission sends a file that the learner has submitted. Browsers save it and do not show
// it.
func downloadSubmission(x *siteRequest) error {
	id, ok := text.UUID(x.r.PathValue("id"))
	if !ok {
		return errNotFound
	}
	s, err := x.site.app.Submissions.Get(x.r.Context(), x.visitor.Actor, submission.ID{UUID: id})
	if err != nil {
		return err
	}
	file, err := x.site.app.Submissions.Download(x.r.Context(), x.school.ID, s.ID)
	if err != nil {
		return err
	}
	defer func() { _ = file.Bytes.Close() }() // the file was only read, so the error does not matter
	ServeDownload(x.w, x.r, file.File.Name, file.Bytes)
	return nil
}
