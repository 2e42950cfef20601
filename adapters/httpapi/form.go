package httpapi

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// The parts of a form that hands in a file.
const (
	filePart     = "file"
	personPart   = "person"
	activityPart = "activity"
)

// formType is the media type of a form.
const formType = "multipart/form-data"

const (
	// formOverhead is how many bytes a form may have beside its file.
	formOverhead = 64 << 10
	// maxField is the longest value of a field that is looked at.
	maxField = 1 << 10
	// maxParts is how many parts a form may have.
	maxParts = 20
	// maxPartHead is how many bytes may come before the content of a part: those of its
	// headers, which the library holds in memory.
	maxPartHead = 16 << 10
)

// form is a form on its way in, read part by part.
type form struct {
	parts  *multipart.Reader
	heads  *headReader
	last   *multipart.Part // nil until the first one comes
	limit  int64           // of the bytes of the file
	digest hash.Hash       // of those read so far
	file   *multipart.Part // nil until it comes
	fields map[string]string
	read   int
	faults []error // what is wrong with the form itself
	broken error   // why it cannot be read on
	ended  bool
}

// readForm begins to read a form. A body that is none, or that says itself that
// it is too large, is refused.
func (s *server) readForm(c *gin.Context) (*form, error) {
	name, params, err := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	boundary := params["boundary"]
	coded := c.Request.Header.Get("Content-Encoding") != ""
	if err != nil || name != formType || boundary == "" || coded {
		return nil, respond.Refusef(http.StatusUnsupportedMediaType,
			"A file is handed in as multipart/form-data, not compressed, with the parts person and file")
	}
	limit := s.cfg.UploadLimit
	if c.Request.ContentLength > limit+formOverhead {
		return nil, respond.Refusef(http.StatusRequestEntityTooLarge, "The file is larger than %d bytes", limit)
	}
	body := s.patience(c, http.MaxBytesReader(c.Writer, c.Request.Body, limit+formOverhead))
	return newForm(body, boundary, limit), nil
}

func newForm(body io.Reader, boundary string, limit int64) *form {
	heads := &headReader{body: body}
	return &form{
		parts: multipart.NewReader(heads, boundary), heads: heads, limit: limit,
		digest: sha256.New(), fields: map[string]string{},
	}
}

// upload reads until the file and returns it. Without a file it is an empty one,
// and the form has a fault.
func (f *form) upload() (learning.Upload, error) {
	if f.next(); f.broken != nil {
		return learning.Upload{}, f.broken
	}
	if f.file == nil {
		f.faults = append(f.faults, fault.Blank(filePart))
		return learning.Upload{Name: filePart, Bytes: bytes.NewReader(nil)}, nil
	}
	return learning.Upload{
		Name: f.file.FileName(), MediaType: f.file.Header.Get("Content-Type"), Bytes: &bounded{f: f, left: f.limit},
	}, nil
}

// bounded reads the file of a form, and fails once there are more bytes than left.
type bounded struct {
	f    *form
	left int64
}

// Read reads on, to one byte beyond the limit.
func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.f.file.Read(p)
	b.f.digest.Write(p[:n])
	if b.left -= int64(n); b.left < 0 {
		return 0, &http.MaxBytesError{Limit: b.f.limit}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.f.broken = err
	}
	return n, err
}

// next reads fields, until the file comes or the form ends.
func (f *form) next() {
	for f.broken == nil && !f.ended {
		part, err := f.nextPart()
		switch {
		case err == io.EOF: //lint:ignore errorlint wrapped, it tells of a form that ends too early
			f.ended = true
			return
		case err != nil:
			f.broken = err
			return
		}
		if f.read++; f.read > maxParts {
			f.broken = respond.Refusef(http.StatusBadRequest, "The form has more than %d parts", maxParts)
			return
		}
		if part.FormName() == filePart {
			if f.file == nil {
				f.file = part
				return
			}
			f.twice(filePart)
			continue // what is in it is passed over
		}
		f.field(part)
	}
}

// nextPart passes over the rest of the last part and returns the next one.
func (f *form) nextPart() (*multipart.Part, error) {
	if f.last != nil {
		if _, err := io.Copy(io.Discard, f.last); err != nil {
			return nil, err
		}
	}
	part, err := f.heads.nextPart(f.parts)
	f.last = part
	return part, err
}

// field reads the value of a field that is known.
func (f *form) field(part *multipart.Part) {
	name := part.FormName()
	if name != personPart && name != activityPart {
		return
	}
	value, err := io.ReadAll(io.LimitReader(part, maxField))
	if err != nil {
		f.broken = err
		return
	}
	if _, there := f.fields[name]; there {
		f.twice(name)
		return
	}
	f.fields[name] = string(value)
}

func (f *form) twice(name string) {
	f.faults = append(f.faults, fault.Invalidf(name, "is given twice"))
}

// entrant reads the rest of the form and returns who hands in, and whether
// nothing is wrong with the form.
func (f *form) entrant() (learning.Entrant, bool) {
	f.next()
	e := learning.Entrant{Person: person.ID{UUID: f.id(personPart)}}
	if f.fields[personPart] == "" {
		f.faults = append(f.faults, fault.Blank(personPart))
	}
	if f.fields[activityPart] != "" {
		e.Activity = &activity.ID{UUID: f.id(activityPart)}
	}
	return e, f.broken == nil && len(f.faults) == 0
}

// content returns what the form says, once all of it is read.
func (f *form) content() [][]byte {
	return [][]byte{
		[]byte(f.fields[personPart]), []byte(f.fields[activityPart]),
		[]byte(f.file.FileName()), []byte(f.file.Header.Get("Content-Type")), f.digest.Sum(nil),
	}
}

// id returns the id in a field, zero, which no record has, when it holds none.
func (f *form) id(name string) uuid.UUID {
	id, _ := text.UUID(f.fields[name])
	return id
}
