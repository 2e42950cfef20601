package demo

import (
	"fmt"
	"io"

	"lyceum/app/transfer/format"
)

// Generated returns what opens the file of a generated school of that name and
// size. A Size that does not validate makes a file that ends with its faults.
func Generated(name string, s Size) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { _ = w.CloseWithError(Write(w, name, s)) }() // never fails
		return r, nil
	}
}

// Write writes the lines of a generated school of that name and size.
func Write(w io.Writer, name string, s Size) error {
	if err := s.Validate(); err != nil {
		return err
	}
	g := generator{Size: s, out: format.NewWriter(w), stride: stride(s.Courses)}
	g.write(format.School{
		Kind: format.SchoolKind, Format: format.Format, Name: name, CreatedAt: format.At(begin),
	})
	for _, step := range []func(){g.catalog, g.people, g.taught, g.groups, g.learning, g.events} {
		if step(); g.failed != nil {
			return g.failed
		}
	}
	return g.out.Close()
}

// generator writes the lines of one school.
type generator struct {
	Size
	stride  int // from one course of a learner to the next
	courses []course
	out     *format.Writer
	failed  error // the first error of writing
}

// write writes a line, unless an earlier one failed.
func (g *generator) write(line any) {
	if g.failed == nil {
		g.failed = g.out.Write(line)
	}
}

// number tells records apart, those of another seed included.
func (s Size) number(i int) string { return fmt.Sprintf("%d-%d", s.Seed, i+1) }

// stride returns a number that has no divisor in common with n, so that who
// takes every such course meets each once before any again.
func stride(n int) int {
	s := max(1, n*2/5)
	for divisor(s, max(n, 1)) != 1 {
		s++
	}
	return s
}

// divisor returns the greatest common divisor of a and b, for b above 0.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
