package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/app/usecase"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// maxForm and maxAppForm are the maximum size in bytes of a form without a file, of the academy and
// of the teaching app. A form of the teaching app can contain the text of an activity.
const (
	maxForm    = 64 << 10
	maxAppForm = 256 << 10
)

// bytesPerField limits the number of fields of a form to one for each bytesPerField bytes of its
// limit, because a field takes more time than its bytes.
const bytesPerField = 32

// checkFields refuses a form with too many fields for its limit in bytes.
func checkFields(form io.Reader, limit int64) error {
	body, ok := form.(*middleware.BufferedBody)
	if most := limit / bytesPerField; ok && int64(bytes.Count(body.Bytes(), []byte("&"))) >= most {
		return respond.HTTPErrorf(http.StatusBadRequest, "The form has more than %d fields", most)
	}
	return nil
}

// servePage serves a page of the academy or of the teaching app. The request holds a slot neither
// while its form arrives nor while the page is sent, because clients can send and read slowly.
func (s *server) servePage(c *gin.Context, pages http.Handler) error {
	if !strings.HasPrefix(c.GetHeader("Content-Type"), "multipart/") {
		limit := int64(maxForm)
		if isBelow(c.Request.URL.Path, appSite.path) {
			limit = maxAppForm
		}
		form, err := s.middleware.BufferForm(c, limit)
		defer form.Release()
		if err == nil {
			err = checkFields(c.Request.Body, limit)
		}
		if err != nil {
			return err
		}
	}
	p := &page{ResponseWriter: c.Writer, c: c, server: s, origin: s.pageOrigin(c)}
	p.payer.School = p.origin.Key
	defer p.release()
	var err error
	lane := s.Lanes.Pages
	if requestsLink(c.Request) {
		lane = s.Lanes.Links
	}
	if p.slot, err = s.Lanes.EnterPages(c.Request.Context(), lane, p.origin); err != nil {
		return err
	}
	c.Status(http.StatusOK) // gin responds to paths without a route with 404, unless the status is set
	ctx := usecase.WithCaller(context.WithValue(c.Request.Context(), pageKey{}, p), p.origin.Key)
	pages.ServeHTTP(p, c.Request.WithContext(ctx))
	return nil
}

// pageOrigin returns the school in the path and the network of the client. The school is not looked
// up: the slots of its pages are not shared with its other requests.
func (s *server) pageOrigin(c *gin.Context) limiter.Origin {
	o := limiter.Origin{Key: s.middleware.Network(c)}
	sum := sha256.Sum256([]byte(slugInSite(c.Request.URL.Path)))
	copy(o.School[:], sum[:])
	return o
}

// requestsLink reports whether r is the form of a sign-in page, which requests a sign-in link.
func requestsLink(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == academySite.path+"/"+slugInSite(r.URL.Path)+"/sign-in"
}

// slugInSite returns the slug of the school in a path of the academy or of the teaching app.
func slugInSite(path string) string {
	slug, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, appSite.path+"/"), academySite.path+"/"), "/")
	return slug
}

// page is the response of the academy to a request.
type page struct {
	gin.ResponseWriter
	c       *gin.Context
	server  *server
	origin  limiter.Origin
	payer   limiter.Origin // whose slots a large page takes: the school of a visitor who is signed in, otherwise the network
	visitor uuid.UUID      // person who is signed in; zero: not signed in, or not known yet
	slot    *limiter.Slot  // held until the page is sent
	sending *limiter.Slot  // for the bytes of a large page
	refused bool
}

// pageKey is the key of the page in the context of its request.
type pageKey struct{}

// Write releases the slot of the request and sends b. A large page takes slots for its bytes
// instead, because it stays in memory until it is sent. If they are not free in time, the response
// is a refusal. Later requests of the network wait according to the size of the page, because to
// render it takes processor time.
func (p *page) Write(b []byte) (int, error) {
	if !p.Written() {
		p.server.ChargePage(p.origin.Key, len(b))
	}
	p.slot.Release()
	if len(b) > respond.LargeResponse && !p.Written() {
		var err error
		if p.sending, err = p.server.Lanes.EnterPage(p.c.Request.Context(), p.payer, len(b)); err != nil {
			p.refused = true
			p.server.Fail(p.c, err)
		}
	}
	if p.refused {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

// WriteString is like Write.
func (p *page) WriteString(text string) (int, error) { return p.Write([]byte(text)) }

func (p *page) release() {
	p.slot.Release()
	p.sending.Release()
}

// Unwrap returns the writer of the connection, for http.ResponseController.
func (p *page) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// AdmitFile replaces the slot of a request to the academy with a slot for an upload of the school.
// It returns the body of the request, whose reads fail if the client is too slow. The slot is
// released at the end of the request.
func (a *API) AdmitFile(w http.ResponseWriter, r *http.Request, of school.ID) (io.Reader, error) {
	err := a.Admit(r.Context(), of, limits.Upload)
	p := servedPage(r.Context())
	return p.server.PacedBody(r.Context(), http.NewResponseController(w), r.Body, p.client(of).Origin), err
}

// Admit replaces the slot of a request for a page with a slot of class for the school. The request
// then waits like a request of that class to the API. The slot is released when the page is sent.
func (a *API) Admit(ctx context.Context, of school.ID, class limits.Class) (err error) {
	p := servedPage(ctx)
	p.slot.Release()
	p.slot, err = a.lanes.EnterClass(ctx, class, p.client(of), 1)
	return err
}

// AdmitVisitor implements web.Admission. The request waits like other requests of the school, and
// makes the school active.
func (a *API) AdmitVisitor(ctx context.Context, of school.ID, visitor person.ID) (err error) {
	p := servedPage(ctx)
	p.payer = limiter.Origin{School: of.UUID, Key: p.origin.Key}
	p.visitor = visitor.UUID
	p.slot, err = a.lanes.EnterSchool(ctx, p.slot, p.client(of))
	return err
}

// client returns the client of a page of a school: the visitor, or the network of one who is not signed
// in. A visitor can use many networks.
func (p *page) client(of school.ID) limits.Client {
	return limits.Client{Origin: limiter.Origin{School: of.UUID, Key: cmp.Or(p.visitor, p.origin.Key)}, Yields: true}
}

// BeginRendering implements web.Admission. A rendering for a visitor who is signed in makes the school
// active, so that other schools leave slots for it. One for another visitor waits like other requests of
// the school: they would use more processors together.
func (a *API) BeginRendering(ctx context.Context, of school.ID) (end func(), err error) {
	var held *limiter.Slot
	o := limiter.Origin{School: of.UUID}
	if p, ok := ctx.Value(pageKey{}).(*page); ok {
		o.Key = p.origin.Key // networks take turns
		if p.visitor == uuid.Nil && of.UUID != uuid.Nil {
			o.Passive = true
			if held, err = a.lanes.EnterSchool(ctx, nil, limits.Client{Origin: o, Yields: true}); err != nil {
				return nil, err
			}
		}
	}
	slot, err := a.lanes.Enter(ctx, a.lanes.Renderings, o, limits.TooManyRequests)
	if err != nil {
		held.Release()
		return nil, err
	}
	return slot.With(held).Release, nil
}

// servedPage returns the page of the request with the context ctx.
func servedPage(ctx context.Context) *page { return ctx.Value(pageKey{}).(*page) }
