package files

import (
	"context"
	"io"
)

// obedient is a reader that fails once its context has ended.
type obedient struct {
	ctx context.Context // it lives as long as one call of Put
	io.Reader
}

// Read reads on, unless the context has ended.
func (o obedient) Read(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	return o.Reader.Read(p)
}
