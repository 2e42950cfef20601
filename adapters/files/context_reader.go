package files

import (
	"context"
	"io"
)

// ctxReader is a reader that fails once its context has ended.
type ctxReader struct {
	ctx context.Context // context of one call of Put
	io.Reader
	err error // error of the reader or of ctx; nil at the end of the file
}

// Read reads from the underlying reader, unless the context has ended.
func (o *ctxReader) Read(p []byte) (n int, err error) {
	if o.err = o.ctx.Err(); o.err != nil {
		return 0, o.err
	}
	if n, err = o.Reader.Read(p); err != io.EOF {
		o.err = err
	}
	return n, err
}
