package compress

import (
	"bytes"
	"hash/maphash"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Encoding is the Content-Encoding of compressed responses.
const Encoding = "gzip"

const (
	// MinSize is the minimum size of a compressed response, in bytes. A smaller response fits into
	// one packet anyway.
	MinSize = 1400
	// maxPadding limits the padding of a compressed response, in bytes.
	maxPadding = 32
)

// compressors is a pool of compressors, about 800 KB each. A compressor is in use only while a
// request holds its slot, or during an export.
var compressors = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is valid
	return w
}}

// seed makes the padding of a response unpredictable to clients.
var seed = maphash.MakeSeed()

// Response writes the compressed body to b. The header contains padding whose size is a function of
// the body. The padding prevents an attacker who can choose a part of a response from inferring
// other parts from the size of the response (BREACH).
func Response(b *bytes.Buffer, body []byte) {
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(b)
	w.Comment = strings.Repeat("-", int(maphash.Bytes(seed, body)%maxPadding))
	_, _ = w.Write(body) // a bytes.Buffer returns no errors
	_ = w.Close()
}

// Small returns body, compressed as much as possible. Use it for a body that is kept and sent
// often.
func Small(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// A Stream compresses the bytes that are written to it. Exactly one of Close and Abort must be
// called.
type Stream struct{ w *gzip.Writer }

// NewStream returns a stream to w. Nothing is written to w before the first Write.
func NewStream(w io.Writer) Stream {
	z := compressors.Get().(*gzip.Writer)
	z.Reset(w)
	return Stream{z}
}

// Write compresses b. It may write a part of the result later.
func (s Stream) Write(b []byte) (int, error) { return s.w.Write(b) }

// Flush writes everything that has been compressed so far.
func (s Stream) Flush() error { return s.w.Flush() }

// Close ends the compressed data. It does not close the underlying writer.
func (s Stream) Close() error {
	defer s.Abort()
	return s.w.Close()
}

// Abort ends the use of the stream without ending the compressed data, so that the client notices
// that the data is incomplete.
func (s Stream) Abort() {
	s.w.Reset(io.Discard)
	compressors.Put(s.w)
}
