package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// confirm asks a question on the terminal. It returns an error unless the operator enters the given
// answer. It also returns an error when ctx ends.
func (t terminal) confirm(ctx context.Context, command, question, answer string) error {
	_, _ = fmt.Fprint(t.err, question)
	lines := bufio.NewScanner(interruptible(ctx, t.in))
	if !lines.Scan() {
		_, _ = fmt.Fprintln(t.err)
		return errors.Join(fmt.Errorf("%s: requires a confirmation; use --yes in scripts", command), lines.Err())
	}
	if lines.Text() != answer {
		return fmt.Errorf("%s: not confirmed; nothing was changed", command)
	}
	return nil
}

// interruptible returns a reader whose Read returns the error of ctx when ctx ends, even if the
// Read of r waits for input. After that, r must not be used, because its Read may still be running.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		type result struct {
			data []byte
			err  error
		}
		done := make(chan result, 1)
		go func() {
			own := make([]byte, len(p)) // p belongs to the caller as soon as ctx ends
			n, err := r.Read(own)
			done <- result{own[:n], err}
		}()
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case read := <-done:
			return copy(p, read.data), read.err
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
