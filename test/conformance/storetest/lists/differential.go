package lists

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"lyceum/test/conformance/storetest/fixture"
)

// Environment variables that configure the differential tests.
const (
	seedVariable  = "LYCEUM_TEST_SEED"  // seed of the random numbers; the same seed repeats a run
	casesVariable = "LYCEUM_TEST_CASES" // number of queries for each list; default: 100, or 30 with -short
)

// Differential runs random queries on random rows and compares the results with the results of
// Schema.Evaluate on the same rows.
func Differential(t *testing.T, b fixture.Backend) {
	for _, c := range Cases {
		c.differ(t, b)
	}
}

func (c *Case[T]) differ(t *testing.T, b fixture.Backend) {
	t.Run(c.name, func(t *testing.T) {
		t.Parallel() // the lists are independent
		seed := setting(t, seedVariable, rand.Uint64())
		usual := uint64(100)
		if testing.Short() {
			usual = 30
		}
		cases := setting(t, casesVariable, usual)
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("to repeat: %s=%d", seedVariable, seed)
			}
		})
		w, rnd := fixture.NewWorld(t, b), rand.New(rand.NewPCG(seed, seed))
		texts := make([]string, 60)
		for i := range texts {
			texts[i] = randomText(rnd)
		}
		one, two := w.Tenant, fixture.NewTenant(t, b, "Second")
		ones, twos := c.ExpectedRows(c.asStored(one, c.write(one, rnd, texts))), c.ExpectedRows(c.asStored(two, c.write(two, rnd, texts)))
		g := generator[T]{
			list: c, rnd: rnd, texts: append(texts, c.words...), stock: c.rowValuesOf(slices.Concat(ones.rows, twos.rows)),
			rows: len(ones.rows),
		}
		for range cases {
			q := g.query(t)
			ones.mustEvaluate(t, q)
			c.Check(one, ones, q)
			c.Check(two, twos, q)
		}
	})
}

// setting returns the number in an environment variable, or the default if it is not set.
func setting(t *testing.T, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
