package files

import (
	"context"
	"io"
)

// obedient is a reader that fails once its context has ended.
type obedient struct {
	ctx context.Context // it lives as long as one call of Put
	io.Reader
	err error // with which it failed; nil at the end of the bytes
}

// Read reads on, unless the context has ended.
func (o *obedient) Read(p []byte) (n int, err error) {
	if o.err = o.ctx.Err(); o.err != nil {
		return 0, o.err
	}
	if n, err = o.Reader.Read(p); err != io.EOF {
		o.err = err
	}
	return n, err
}
