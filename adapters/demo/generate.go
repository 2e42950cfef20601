package demo

import (
	"fmt"
	"io"

	"lyceum/app/transfer/format"
)

// Generated returns a function that opens a generated school as a file. If s is invalid, reads
// return the faults of Validate.
func Generated(name string, s Size) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { _ = w.CloseWithError(Write(w, name, s)) }() // CloseWithError never fails
		return r, nil
	}
}

// Write writes the lines of a generated school to w. It returns the faults of Validate if s is
// invalid.
func Write(w io.Writer, name string, s Size) error {
	if err := s.Validate(); err != nil {
		return err
	}
	g := generator{Size: s, out: format.NewWriter(w), stride: coprimeStep(s.Courses)}
	g.write(format.School{
		Kind: format.SchoolKind, Format: format.Format, Name: name, CreatedAt: format.NewInstant(begin),
	})
	for _, step := range []func(){g.catalog, g.people, g.courseActivities, g.groups, g.learning, g.events} {
		if step(); g.failed != nil {
			return g.failed
		}
	}
	return g.out.Close()
}

// generator writes the lines of one school.
type generator struct {
	Size
	stride  int // distance between the indexes of two successive courses of a learner
	courses []course
	out     *format.Writer
	failed  error // first write error
}

// write writes a line, unless a previous write failed.
func (g *generator) write(line any) {
	if g.failed == nil {
		g.failed = g.out.Write(line)
	}
}

// number returns a suffix for the name of the i-th record (0-based), such as "1-42". It contains
// the seed, so that names of different seeds differ.
func (s Size) number(i int) string { return fmt.Sprintf("%d-%d", s.Seed, i+1) }

// coprimeStep returns a number without a common divisor with n, so that steps of this size visit
// all n positions before they repeat.
func coprimeStep(n int) int {
	s := max(1, n*2/5)
	for divisor(s, max(n, 1)) != 1 {
		s++
	}
	return s
}

// divisor returns the greatest common divisor of a and b; b must be positive.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
