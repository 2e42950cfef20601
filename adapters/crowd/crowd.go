package crowd

import (
	"context"

	"lyceum/domain/group"
	"lyceum/domain/school"
	"lyceum/ports"
)

// full is how many records make a batch to hand over.
const full = 10_000

// Fill loads what s says into a school that exists, all or none. told, which may
// be nil, learns how many of s.Total() records are made, and of what the next
// ones are. A Size that does not validate is refused; a seed whose rows the
// school has already is ports.ErrKnown.
func Fill(ctx context.Context, to ports.Loader, id school.ID, s Size, told func(done int, of string)) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if told == nil {
		told = func(int, string) {}
	}
	return to.Load(ctx, id, func(ctx context.Context, l ports.Load) error {
		g := generator{Size: s, told: told, stride: stride(s.Courses)}
		g.hand = func() error {
			err := l.Add(ctx, g.batch)
			g.batch, g.held = ports.Batch{}, 0
			return err
		}
		return g.run()
	})
}

// generator makes the records of one Fill.
type generator struct {
	Size
	stride  int // from one course of a learner to the next
	told    func(done int, of string)
	done    int
	of      string
	courses []subject
	circles []group.Group
	batch   ports.Batch
	held    int // records in the batch
	hand    func() error
}

func (g *generator) run() error {
	for _, step := range []struct {
		of   string
		make func() error
	}{
		{"the catalogue", g.headings},
		{"people", g.people},
		{"courses", g.subjects},
		{"groups", g.groups},
		{"learning", g.learning},
		{"events", g.events},
	} {
		g.of = step.of
		if err := step.make(); err != nil {
			return err
		}
		if err := g.hand(); err != nil {
			return err
		}
		g.told(g.done, g.of)
	}
	return nil
}

// made counts n records that Size names, and hands the batch over when it is
// full.
func (g *generator) made(n int) error {
	g.done += n
	g.held += n
	if g.held < full {
		return nil
	}
	g.told(g.done, g.of)
	return g.hand()
}

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
