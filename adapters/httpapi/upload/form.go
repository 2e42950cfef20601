package upload

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/formdata"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// The parts of a form with a file.
const (
	filePart     = "file"
	personPart   = "person"
	activityPart = "activity"
)

const (
	// formOverhead is the maximum size in bytes of a form without its file.
	formOverhead = 64 << 10
	// maxField is the maximum number of bytes that are read from a field.
	maxField = 1 << 10
	// maxParts is the maximum number of parts of a form.
	maxParts = 8
)

// Form reads a multipart form part by part.
type Form struct {
	parts   *formdata.Reader
	limit   int64          // maximum size of the file, in bytes
	digest  hash.Hash      // digest of the bytes of the file read so far
	file    *formdata.Part // nil before the part with the file
	fields  map[string]string
	read    int
	faults  []error // faults of the form itself
	readErr error   // error that ended reading
	ended   bool
}

// Open starts to read a form from the body. It refuses a body of another media type, and a
// Content-Length beyond the limit of the file in bytes. paced returns a reader that ends if the
// client is too slow.
func Open(c *gin.Context, limit int64, paced func(*gin.Context, io.Reader) io.Reader) (*Form, error) {
	boundary, ok := formdata.Boundary(c.Request.Header)
	if !ok || c.Request.Header.Get("Content-Encoding") != "" {
		return nil, respond.HTTPErrorf(http.StatusUnsupportedMediaType,
			"The body must be uncompressed multipart/form-data with the parts person and file")
	}
	if c.Request.ContentLength > limit+formOverhead {
		return nil, respond.HTTPErrorf(http.StatusRequestEntityTooLarge, "The file exceeds %d bytes", limit)
	}
	body := paced(c, http.MaxBytesReader(c.Writer, c.Request.Body, limit+formOverhead))
	return newForm(body, boundary, limit), nil
}

func newForm(body io.Reader, boundary string, limit int64) *Form {
	return &Form{
		parts: formdata.NewReader(body, boundary), limit: limit, digest: sha256.New(), fields: map[string]string{},
	}
}

// Upload reads the form up to the file and returns the file. If there is no file, it adds a fault
// and returns an empty upload.
func (f *Form) Upload() (learning.Upload, error) {
	if f.readToFile(); f.readErr != nil {
		return learning.Upload{}, f.readErr
	}
	if f.file == nil {
		f.faults = append(f.faults, fault.Blank(filePart))
		return learning.Upload{Name: filePart, Bytes: bytes.NewReader(nil)}, nil
	}
	return learning.Upload{
		Name: f.file.FileName(), MediaType: f.file.Header.Get("Content-Type"), Bytes: &limitedFile{f: f, remaining: f.limit},
	}, nil
}

// limitedFile reads the file of a form and fails after remaining bytes.
type limitedFile struct {
	f         *Form
	remaining int64
}

// Read reads at most one byte beyond the limit.
func (b *limitedFile) Read(p []byte) (int, error) {
	if int64(len(p)) > b.remaining+1 {
		p = p[:b.remaining+1]
	}
	n, err := b.f.file.Read(p)
	b.f.digest.Write(p[:n])
	if b.remaining -= int64(n); b.remaining < 0 {
		return 0, &http.MaxBytesError{Limit: b.f.limit}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.f.readErr = err
	}
	return n, err
}

// readToFile reads fields up to the file or to the end of the form.
func (f *Form) readToFile() {
	for f.readErr == nil && !f.ended {
		part, err := f.parts.Next()
		switch {
		case err == io.EOF: //lint:ignore errorlint a wrapped EOF means that the form ends too early
			f.ended = true
			return
		case err != nil:
			f.readErr = err
			return
		}
		if f.read++; f.read > maxParts {
			f.readErr = respond.HTTPErrorf(http.StatusBadRequest, "The form has more than %d parts", maxParts)
			return
		}
		if part.FormName() == filePart {
			if f.file == nil {
				f.file = part
				return
			}
			f.failDuplicate(filePart)
			continue // Next skips the content of this part
		}
		f.readField(part)
	}
}

// readField reads the value of a known field. It ignores other fields.
func (f *Form) readField(part *formdata.Part) {
	name := part.FormName()
	if name != personPart && name != activityPart {
		return
	}
	value, err := io.ReadAll(io.LimitReader(part, maxField))
	if err != nil {
		f.readErr = err
		return
	}
	if _, there := f.fields[name]; there {
		f.failDuplicate(name)
		return
	}
	f.fields[name] = string(value)
}

func (f *Form) failDuplicate(name string) {
	f.faults = append(f.faults, fault.Invalidf(name, "is given more than once"))
}

// Submitter reads the rest of the form. It returns the submitter and reports whether the
// form has no fault.
func (f *Form) Submitter() (learning.Submitter, bool) {
	f.readToFile()
	e := learning.Submitter{Person: person.ID{UUID: f.id(personPart)}}
	if f.fields[personPart] == "" {
		f.faults = append(f.faults, fault.Blank(personPart))
	}
	if f.fields[activityPart] != "" {
		e.Activity = &activity.ID{UUID: f.id(activityPart)}
	}
	return e, f.readErr == nil && len(f.faults) == 0
}

// Content returns the content of a form that has been read, with a digest instead of the file.
// Equal forms have equal content.
func (f *Form) Content() [][]byte {
	return [][]byte{
		[]byte(f.fields[personPart]), []byte(f.fields[activityPart]),
		[]byte(f.file.FileName()), []byte(f.file.Header.Get("Content-Type")), f.digest.Sum(nil),
	}
}

// id returns the ID in a field, or the zero ID, which no record has.
func (f *Form) id(name string) uuid.UUID {
	id, _ := text.UUID(f.fields[name])
	return id
}
